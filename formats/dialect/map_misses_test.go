package dialect_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/dialect"
	"github.com/rollmill/rollmill/formats/rollout"
)

func TestMappingMisses(t *testing.T) {
	many := `{"z":1`
	for i := range 40 {
		many += fmt.Sprintf(`,"n%02d":1`, i)
	}
	var first []string
	for i := range 32 {
		first = append(first, fmt.Sprintf("n%02d", i))
	}
	for _, c := range []struct {
		name, rules, each string
		records           []string
		want              []dialect.Miss
	}{
		{"nothing was read", "reward=r", "", nil, nil},
		{"all found", "reward=r,prompt=q.text", "", []string{`{"r":1}`, `{"q":{"text":"a"}}`}, nil},
		{"a null is something", "reward=r", "", []string{`{"r":null}`}, nil},
		{"one of two", "reward=r,prompt=q.txt", "", []string{`{"r":1,"q":{"text":"a"}}`, `{"b":0}`},
			[]dialect.Miss{{Field: "prompt", Path: "q.txt", Names: []string{"b", "q", "r"}, Sets: rollout.FieldPrompt}}},
		{"within parts", "reward=.r,markers.x=.y,extra.k=z", "s", []string{`{"q":1,"s":[{"r":1,"a":2},{"b":3}]}`},
			[]dialect.Miss{
				{Field: "markers.x", Path: ".y", Names: []string{"a", "b", "r"}, Sets: rollout.FieldMarkers},
				{Field: "extra.k", Path: "z", Names: []string{"q", "s"}, Sets: rollout.FieldExtra}}},
		{"many names", "reward=r", "", []string{many + "}"}, []dialect.Miss{{Field: "reward", Path: "r", Names: first, Sets: rollout.FieldReward}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := dialect.ParseMap([]string{c.rules}, c.each)
			if err != nil {
				t.Fatal(err)
			}
			for i, record := range c.records {
				if _, err := m.Rows(nil, dialect.Record{JSON: []byte(record), Pos: rollout.Pos{Record: int64(i + 1)}}); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(c.want, m.Misses()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
