package curate

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Positions come back as they were added, also those of parts that were saved,
// restored and joined.
func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []rollout.Pos
		at := rollout.Pos{Record: 1}
		for range rapid.IntRange(0, 200).Draw(t, "rows") {
			list = append(list, at)
			switch rapid.IntRange(0, 9).Draw(t, "next") {
			case 0:
				at.Record += int64(rapid.IntRange(2, 9).Draw(t, "refused"))
				at.Part = 0
			case 1:
				at = rollout.Pos{Input: at.Input + 1, Record: 1}
			case 2, 3, 4:
				at.Part++
			default:
				at.Record, at.Part = at.Record+1, 0
			}
		}
		var plain, joined positions
		for from := 0; from < len(list); {
			to := min(len(list), from+rapid.IntRange(1, 40).Draw(t, "rows of a part"))
			var part, again positions
			for _, at := range list[from:to] {
				at.Offset = at.Record * 100
				plain.add(at)
				part.add(at)
			}
			text, err := json.Marshal(part)
			if err == nil {
				err = json.Unmarshal(text, &again)
			}
			if err != nil {
				t.Fatal(err)
			}
			joined.join(&again)
			from = to
		}
		if plain.n != len(list) || joined.n != len(list) {
			t.Fatalf("%d and %d rows, want %d", plain.n, joined.n, len(list))
		}
		for i, want := range list {
			if plain.at(i) != want || joined.at(i) != want {
				t.Fatalf("row %d: %v and %v, want %v", i, plain.at(i), joined.at(i), want)
			}
		}
	})
}

// What is no saved list of positions is refused.
func TestSavedPositions(t *testing.T) {
	for _, text := range []string{
		`{"rows":2,"spans":[]}`, `{"rows":0,"spans":[[0,0,1,0,0]]}`, `{"rows":2,"spans":[[1,0,1,0,0]]}`,
		`{"rows":2,"spans":[[0,0,1,0,0],[2,0,1,0,0]]}`, `{"rows":3,"spans":[[0,0,1,0,0],[0,0,1,0,0]]}`, `{"rows":-1}`, `[]`,
	} {
		if err := json.Unmarshal([]byte(text), &positions{}); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}
