package conduct_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/conduct"
)

func decode(t testing.TB, record []byte) *rollout.Row {
	t.Helper()
	var row rollout.Row
	if err := rollout.NewDecoder(rollout.AllFields).Decode(record, &row); err != nil {
		t.Fatalf("%s: %v", record, err)
	}
	return &row
}

// names lists flags by their names; none is an empty list.
func names(flags []conduct.Flag) []string {
	list := []string{}
	for _, f := range flags {
		list = append(list, f.String())
	}
	return list
}

func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			ID     string
			Input  []json.RawMessage
			Expect [][]string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	v := file.Vectors[0]
	if v.ID != "flags-1" || len(v.Input) != 12 || len(v.Expect) != 12 {
		t.Fatalf("%s: %d inputs", v.ID, len(v.Input))
	}
	var b behaviour.Reader
	var s conduct.Scanner
	for i, record := range v.Input {
		b.Read(decode(t, record))
		if diff := cmp.Diff(v.Expect[i], names(s.Scan(&b).Fired())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", record, diff)
		}
	}
}
