package neardup_test

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/neardup"
)

func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			ID    string `json:"id"`
			Input struct {
				Rows []struct {
					Prompt string `json:"prompt"`
				} `json:"rows"`
				Threshold float64 `json:"threshold"`
			} `json:"input"`
			Expect any `json:"expect"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) != 2 {
		t.Fatalf("%d vectors, want 2", len(file.Vectors))
	}
	for _, v := range file.Vectors {
		t.Run(v.ID, func(t *testing.T) {
			a := neardup.New()
			for i, r := range v.Input.Rows {
				a.Add([]rollout.Row{{Pos: rollout.Pos{Record: int64(i + 1)}, Prompt: r.Prompt}})
			}
			report, err := a.Report(context.Background(), neardup.Options{Threshold: v.Input.Threshold})
			if err != nil {
				t.Fatal(err)
			}
			b, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			var got any
			if err := json.Unmarshal(b, &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, v.Expect) {
				t.Errorf("%s\nwant %v", b, v.Expect)
			}
		})
	}
}
