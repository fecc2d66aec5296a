package rollout_test

import (
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
)

func TestObject(t *testing.T) {
	var o rollout.Object
	if got := o.String(); got != "{}" {
		t.Errorf("without a member: %s", got)
	}
	o.Text(`a "name"`, "line\nline")
	o.Raw("n", "1.0")
	o.RawBytes("list", []byte("[1,2]"))
	const want = `{"a \"name\"":"line\nline","n":1.0,"list":[1,2]}`
	if got := o.String(); got != want || !rollout.IsJSON(got) {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(o.AppendTo([]byte("x"))); got != "x"+want {
		t.Errorf("appended: %s", got)
	}
}
