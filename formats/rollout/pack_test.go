package rollout_test

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/formats/rollout"
)

// A row that was packed is written as the row itself.
func TestPropertyPackedRowsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var unpacker rollout.Unpacker
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			r := mustDecode(t, record().Draw(t, "record"), rollout.AllFields)
			change(t, r)
			got := rollout.Row{Pos: rollout.Pos{Record: 3}}
			if err := unpacker.Unpack(r.AppendPacked(nil), &got); err != nil {
				t.Fatal(err)
			}
			if want := r.AppendJSON(nil); !bytes.Equal(got.AppendJSON(nil), want) {
				t.Fatalf("got  %s\nwant %s", got.AppendJSON(nil), want)
			}
			for f := rollout.FieldID; f < rollout.FieldExtra; f <<= 1 {
				if got.Has(f) != r.Has(f) || got.WrittenAsIs(f) != r.WrittenAsIs(f) {
					t.Fatalf("%v: has %v, as is %v", f.Names(), got.Has(f), got.WrittenAsIs(f))
				}
			}
			if got.Pos.Record != 3 || got.Changed() != 0 {
				t.Fatalf("position %v, changed %v", got.Pos, got.Changed().Names())
			}
		}
	})
}

func FuzzUnpack(f *testing.F) {
	d := rollout.NewDecoder(rollout.AllFields)
	for _, text := range []string{
		`{"rollout_id":"r","reward":1.0,"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}]}`,
		`{"prompt":"p","markers":{"a":0.5},"judge_status":"ok","x":[1],"rollmill_gates":[{"gate":"g","code":"c"}]}`,
	} {
		var r rollout.Row
		if err := d.Decode([]byte(text), &r); err != nil {
			f.Fatal(err)
		}
		f.Add(r.AppendPacked(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var u rollout.Unpacker
		var r rollout.Row
		if err := u.Unpack(data, &r); err != nil && !errors.Is(err, rollout.ErrPacked) {
			t.Fatal(err)
		}
	})
}
