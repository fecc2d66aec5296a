package behaviour

import (
	"strings"
	"testing"
)

// What CPython 3.11 says to json.dumps(json.loads(text)) and repr(json.loads(text)).
func TestSpeller(t *testing.T) {
	many := `{"a":1,` + strings.Repeat(`"b":2,`, 40) + `"a":3}`
	for _, c := range []struct{ json, dumps, repr string }{
		{`null`, `null`, `None`},
		{` [ true , false ] `, `[true, false]`, `[True, False]`},
		{`[1.0,-0,-0.0,1e5,1E+16,1e15,12e-5,1e-5,1.5e-7,1e400,-1e400]`,
			`[1.0, 0, -0.0, 100000.0, 1e+16, 1000000000000000.0, 0.00012, 1e-05, 1.5e-07, Infinity, -Infinity]`,
			`[1.0, 0, -0.0, 100000.0, 1e+16, 1000000000000000.0, 0.00012, 1e-05, 1.5e-07, inf, -inf]`},
		{`123456789012345678901234567890`, `123456789012345678901234567890`, `123456789012345678901234567890`},
		{`"é\u00e9\/\u0041\"\\\b\f\n\r\t\u0007\u007f"`, `"\u00e9\u00e9/A\"\\\b\f\n\r\t\u0007\u007f"`, `'éé/A"\\\x08\x0c\n\r\t\x07\x7f'`},
		{`"😀\ud83d\ude00\u2028\u00ad"`, `"\ud83d\ude00\ud83d\ude00\u2028\u00ad"`, `'😀😀\u2028\xad'`},
		{`"\ud800x\uDC00"`, `"\ud800x\udc00"`, "'\ufffdx\ufffd'"}, // Python's repr keeps the halves
		{`"it's"`, `"it's"`, `"it's"`},
		{`"it's \"odd\""`, `"it's \"odd\""`, `'it\'s "odd"'`},
		{`"\udb40\udc01"`, `"\udb40\udc01"`, `'\U000e0001'`},
		{`{}`, `{}`, `{}`},
		{`{ "a" : { "b" : [ ] } , "c" : "" }`, `{"a": {"b": []}, "c": ""}`, `{'a': {'b': []}, 'c': ''}`},
		{`{"a":1,"b":2,"a":{"x":1,"x":2}}`, `{"a": {"x": 2}, "b": 2}`, `{'a': {'x': 2}, 'b': 2}`},
		{`{"a":1,"\u0061":2,"é":[{"k":1,"k":0}]}`, `{"a": 2, "\u00e9": [{"k": 0}]}`, `{'a': 2, 'é': [{'k': 0}]}`},
		{many, `{"a": 3, "b": 2}`, `{'a': 3, 'b': 2}`},
	} {
		var p speller
		if got := string(p.appendJSON(nil, c.json)); got != c.dumps {
			t.Errorf("%.80s: JSON\n got %s\nwant %s", c.json, got, c.dumps)
		}
		if got := string(p.appendRepr(nil, c.json)); got != c.repr {
			t.Errorf("%.80s: repr\n got %s\nwant %s", c.json, got, c.repr)
		}
	}
}
