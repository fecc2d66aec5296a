package decontaminate

// validate checks that all numbers of an index that was read lead somewhere.
func (x *Index) validate() error {
	switch {
	case len(x.firsts) != len(x.texts)+1 || x.firsts[0] != 0 || int(x.firsts[len(x.texts)]) != len(x.tokens):
		return damaged("its texts and their words do not fit")
	case len(x.words.ends) != len(x.words.hashes):
		return damaged("its words and their hashes do not fit")
	}
	for i := range x.texts {
		if x.firsts[i+1] <= x.firsts[i] {
			return damaged("text %d has no words", i)
		}
		if int(x.texts[i].item) >= len(x.items) {
			return damaged("text %d is of no item", i)
		}
	}
	for _, id := range x.tokens {
		if id == 0 || int(id) > len(x.words.hashes) {
			return damaged("a word has no number")
		}
	}
	last := uint32(0)
	for _, end := range x.words.ends {
		if end <= last || int(end) > len(x.words.text) {
			return damaged("its words are out of order")
		}
		last = end
	}
	if err := x.validateSets(); err != nil {
		return err
	}
	for i := range x.grams {
		g := &x.grams[i]
		starts := newBitset(len(x.tokens)) // where an n-gram may begin: not across texts
		for t := range x.texts {
			for token := int(x.firsts[t]); token+g.n <= int(x.firsts[t+1]); token++ {
				starts.set(token)
			}
		}
		if err := g.table.validate(func(token uint32) bool { return int(token) < len(x.tokens) && starts.has(int(token)) }); err != nil {
			return err
		}
	}
	return x.wholes.validate(func(text uint32) bool { return int(text) < len(x.texts) })
}

func (x *Index) validateSets() error {
	next := 0
	for i := range x.sets {
		if x.sets[i].First != next || x.sets[i].Items < 0 || x.sets[i].Items > len(x.items)-next {
			return damaged("its sets and items do not fit")
		}
		next += x.sets[i].Items
	}
	if next != len(x.items) {
		return damaged("items are of no set")
	}
	for i := range x.items {
		item := &x.items[i]
		if int(item.set) >= len(x.sets) || i < x.sets[item.set].First || i >= x.sets[item.set].First+x.sets[item.set].Items {
			return damaged("item %d is of no set", i)
		}
		for _, t := range item.texts {
			if t.part >= partEnd || t.text < -1 || int(t.text) >= len(x.texts) {
				return damaged("item %d has a text that is not there", i)
			}
		}
	}
	return nil
}

// validate checks that the table can be looked into, and that its values are good.
func (t *table) validate(good func(value uint32) bool) error {
	if t.shift < 33 || t.shift > 63 || len(t.dir) != 1<<(64-t.shift)+1 || len(t.filter) != len(t.dir)-1 || len(t.refs) != len(t.lows) {
		return damaged("a table is not of one size")
	}
	last := uint32(0)
	for _, entry := range t.dir {
		if entry < last {
			return damaged("a table is out of order")
		}
		last = entry
	}
	if int(last) != len(t.lows) || t.dir[0] != 0 {
		return damaged("a table does not hold its entries")
	}
	for _, ref := range t.refs {
		if ref&isList == 0 {
			if !good(ref) {
				return damaged("a table leads nowhere")
			}
			continue
		}
		at := int(ref &^ isList)
		if at+2 > len(t.lists) || int(t.lists[at]) > len(t.lists)-at-2 || t.lists[at] == 0 {
			return damaged("a list of a table is cut off")
		}
		for _, value := range t.lists[at+2 : at+2+int(t.lists[at])] {
			if !good(value) {
				return damaged("a list of a table leads nowhere")
			}
		}
	}
	return nil
}
