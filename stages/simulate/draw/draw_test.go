package draw_test

import (
	"testing"

	"github.com/rollmill/rollmill/stages/simulate/draw"
)

// The ids of the spec of simulation, section 11.1, with the share of 0.7.
func TestHex(t *testing.T) {
	for id, want := range map[string]bool{"A1001": false, "A1002": true, "A1003": true, "4412": false} {
		if got := draw.Hex("exists:0:"+id, 8)%10 < 7; got != want {
			t.Errorf("%s exists: %v", id, got)
		}
	}
	present := 0
	for i := range 10_000 {
		if draw.Hex("exists:0:A"+itoa(i), 8)%10 < 7 {
			present++
		}
	}
	if present < 6900 || present > 7100 {
		t.Errorf("%d of 10,000 exist", present)
	}
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

// The draws of the spec of simulation, section 11.3.
func TestOpen(t *testing.T) {
	for prompt, want := range map[string]float64{"Cancel order A1002.": 0.4399, "Where is order A1001?": 0.9857} {
		if got := draw.Open("fault-keep:0:"+prompt, 12); got < want-5e-5 || got > want+5e-5 {
			t.Errorf("%s: %v, want %v", prompt, got, want)
		}
	}
}

func TestAppendQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"plain":             `"plain"`,
		"a\"b\\c\n\r\t\b\f": `"a\"b\\c\n\r\t\b\f"`,
		"\x00\x1f\x7f":      `"\u0000\u001f\u007f"`,
		"é€":                `"\u00e9\u20ac"`,
		"😀":                 `"\ud83d\ude00"`,
	} {
		if got := string(draw.AppendQuoted(nil, in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func BenchmarkHex(b *testing.B) {
	text := []byte(`{"arguments": {"order_id": "A1002"}, "salt": "fault", "seed": 0, "tool": "get_order"}`)
	for b.Loop() {
		draw.HexBytes(text, 8)
	}
}
