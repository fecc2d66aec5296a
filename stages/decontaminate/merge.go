package decontaminate

import (
	"context"
	"fmt"
)

// Merge makes one index of several, the same as if it were built of all their
// sets in that order. They must have one configuration, and their sets different
// names.
func Merge(ctx context.Context, workers int, indexes ...*Index) (*Index, error) {
	if len(indexes) == 0 {
		panic("decontaminate: Merge wants an index")
	}
	var sets []Set
	var infos []setInfo
	for _, x := range indexes {
		if !x.config.equal(indexes[0].config) {
			return nil, fmt.Errorf("decontaminate: %w: n-grams of %v %v words, and of %v %v words",
				ErrConfig, indexes[0].config.N, indexes[0].config.Words, x.config.N, x.config.Words)
		}
		sets = append(sets, x.Sets()...)
		infos = append(infos, x.sets...)
	}
	merged, err := Build(ctx, sets, indexes[0].config, workers)
	if err != nil {
		return nil, err
	}
	for i := range merged.sets {
		merged.sets[i].States = infos[i].States // items no longer tell why they have no question
	}
	return merged, nil
}

// Sets returns the sets that the index was built of, as far as it keeps them:
// texts that others equal but for case and white space are those others, and
// texts without words are empty.
func (x *Index) Sets() []Set {
	var sets []Set
	for _, info := range x.sets {
		set := Set{Name: info.Name}
		for i := info.First; i < info.First+info.Items; i++ {
			item := Item{ID: x.items[i].id, TaskID: x.items[i].taskID}
			for _, t := range x.items[i].texts {
				text := ""
				if t.text >= 0 {
					text = x.texts[t.text].text
				}
				item.Texts = append(item.Texts, Text{t.part, text})
			}
			set.Items = append(set.Items, item)
		}
		sets = append(sets, set)
	}
	return sets
}
