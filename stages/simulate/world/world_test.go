package world_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/rollmill/rollmill/stages/simulate/tools"
	"github.com/rollmill/rollmill/stages/simulate/world"
)

func catalog(t testing.TB, seed int64) *world.Catalog {
	t.Helper()
	list, err := tools.Parse([]byte(`[
		{"name":"get_order","parameters":{"type":"object","properties":{"order_id":{"type":"string","description":"an order"}},"required":["order_id"]}},
		{"name":"cancel_order","parameters":{"type":"object","properties":{"order_id":{"type":"string"},"reason":{"type":"string"}},"required":["order_id"]}},
		{"name":"delete_ticket","parameters":{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"]}},
		{"name":"get_ticket","parameters":{"type":"object","properties":{"ticket_id":{"type":"string"}},"required":["ticket_id"]}},
		{"name":"create_ticket","parameters":{"type":"object","properties":{"title":{"type":"string"},"who":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}},"required":["title"]}},
		{"name":"search_orders","parameters":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}},
		{"name":"write_file","parameters":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}},
		{"name":"read_file","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},
		{"name":"calculate","parameters":{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}},
		{"name":"run_shell","parameters":{"type":"object","properties":{"command":{"type":"string"}}}}
	]`))
	if err != nil {
		t.Fatal(err)
	}
	return world.NewCatalog(list, world.Options{Seed: seed})
}

// in reports whether a result holds all parts.
func in(result string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(result, p) {
			return false
		}
	}
	return jsontext.Value(result).IsValid()
}

func TestCall(t *testing.T) {
	c := catalog(t, 0)
	always := func(m world.Mode) world.Plan { return world.Plan{{Tool: world.AnyTool, Mode: m, Rate: 1}} }
	for _, k := range []struct {
		name, state string
		plan        world.Plan
		tool, args  string
		want        []string
	}{
		{"unknown tool", "", nil, "fly", `{}`, []string{`"status":"error"`, `"unknown_tool"`, `"fly"`}},
		{"timeout", "", always(world.Timeout), "get_order", `{"order_id":"A1002"}`, []string{`"status":"timeout"`}},
		{"malformed", "", always(world.Malformed), "get_order", `{"order_id":"A1002"}`, []string{`"status":"ok"`, `garbled`}},
		{"stale", "", always(world.Stale), "get_order", `{"order_id":"A1002"}`, []string{`"id":"A1002"`, `"stale":true`, `"as_of":"3 days ago"`}},
		{"permission", "", always(world.PermissionDenied), "get_order", `{"order_id":"A1002"}`, []string{`{"status":"permission_denied"}`}},
		{"a fault comes before what the arguments lack", "", always(world.Timeout), "get_order", `{}`, []string{`"status":"timeout"`}},
		{"a tool's own fault comes before that of all", "", world.Plan{{world.AnyTool, world.Timeout, 1}, {"get_order", world.PermissionDenied, 1}}, "get_order", `{"order_id":"A1002"}`, []string{`permission_denied`}},
		{"a fault of another tool", "", world.Plan{{"cancel_order", world.Timeout, 1}}, "get_order", `{"order_id":"A1002"}`, []string{`"status":"ok"`}},
		{"an id that exists", "", nil, "get_order", `{"order_id":"A1002"}`, []string{`"status":"ok"`, `"id":"A1002"`, `"order_id":"A1002"`, `"amount":`}},
		{"an id that does not", "", nil, "get_order", `{"order_id":"A1001"}`, []string{`"status":"not_found"`, `["A1001"]`}},
		{"the state says that it exists", world.StateExists, nil, "get_order", `{"order_id":"A1001"}`, []string{`"status":"ok"`}},
		{"the state says that it is missing", world.StateMissing, nil, "get_order", `{"order_id":"A1002"}`, []string{`"not_found"`, `A1002`}},
		{"missing without an id", world.StateMissing, nil, "search_orders", `{"query":"x"}`, []string{`["entity"]`}},
		{"already done", world.StateDone, nil, "cancel_order", `{"order_id":"A1002"}`, []string{`"already_done"`, `"already_acted_on"`}},
		{"already done can be read", world.StateDone, nil, "get_order", `{"order_id":"A1002"}`, []string{`"status":"ok"`}},
		{"what is required", "", nil, "get_order", `{}`, []string{`"missing_required"`, `["order_id"]`}},
		{"what is required within", "", nil, "create_ticket", `{"title":"x","who":{}}`, []string{`"missing_required"`, `["who.name"]`}},
		{"a null counts as missing", "", nil, "get_order", `{"order_id":null}`, []string{`"missing_required"`}},
		{"a token in brackets", "", nil, "get_order", `{"order_id":"<order_id>"}`, []string{`"placeholder_argument"`}},
		{"the schema echoed", "", nil, "get_order", `{"order_id":"an order"}`, []string{`"placeholder_argument"`}},
		{"a description as a value", "", nil, "get_order", `{"order_id":"Order ID"}`, []string{`"placeholder_argument"`}},
		{"creating", "", nil, "create_ticket", `{"title":"x"}`, []string{`"status":"created"`, `"id":"ticket_`, `"title":"x"`}},
		{"a status is not overwritten", "", nil, "create_ticket", `{"title":"x","status":"done"}`, []string{`"status":"created"`}},
		{"a search", "", nil, "search_orders", `{"query":"x"}`, []string{`"count":`, `"items":[`, `"query":"x"`}},
		{"a file", "", nil, "write_file", `{"path":"a.py","content":"12345"}`, []string{`"status":"ok"`, `"path":"a.py"`, `"bytes_written":5`}},
		{"arithmetic", "", nil, "calculate", `{"expression":"2 + 3 * -2 ** 2 // 5 % 4"}`, []string{`"status":"ok"`, `"result":3`}},
		{"no arithmetic", "", nil, "calculate", `{"expression":"__import__('os')"}`, []string{`"rejected"`, `"invalid_expression"`}},
		{"division by zero", "", nil, "calculate", `{"expression":"1/0"}`, []string{`"invalid_expression"`}},
		{"arguments that are no object", "", nil, "get_order", `[]`, []string{`"missing_required"`}},
	} {
		t.Run(k.name, func(t *testing.T) {
			if got := c.World(k.state, k.plan).Call(k.tool, k.args); !in(got, k.want...) {
				t.Errorf("%s; want it to hold %q", got, k.want)
			}
		})
	}
}

func TestCalculate(t *testing.T) {
	c := catalog(t, 0)
	for expression, want := range map[string]string{
		"1+2*3": "7", "(1+2)*3": "9", "2**3**2": "512", "-2**2": "-4", "7//2": "3", "-7//2": "-4", "-7%3": "2", "1.5/2": "0.75", "--1": "1",
	} {
		got := c.World("", nil).Call("calculate", fmt.Sprintf(`{"expression":%q}`, expression))
		if !in(got, `"result":`+want+`}`) {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
	for _, expression := range []string{"", "1+", "(1", "1)", "a", "1..2", strings.Repeat("(", 100) + "1", strings.Repeat("1+", 200) + "1", "9**9**9"} {
		if got := c.World("", nil).Call("calculate", fmt.Sprintf(`{"expression":%q}`, expression)); !in(got, "invalid_expression") {
			t.Errorf("%s: %s", expression, got)
		}
	}
}

func TestARolloutRemembers(t *testing.T) {
	w := catalog(t, 0).World(world.StateExists, nil)
	before := w.Call("get_order", `{"order_id":"A1"}`)
	if again := w.Call("get_order", `{"order_id":"A1"}`); again != before {
		t.Errorf("read twice: %s, %s", before, again)
	}
	if got := w.Call("cancel_order", `{"order_id":"A1"}`); !in(got, `"version":2`) {
		t.Errorf("changed: %s", got)
	}
	if got := w.Call("get_order", `{"order_id":"A1"}`); !in(got, `"version":2`) {
		t.Errorf("read after the change: %s", got)
	}
	if got := w.Call("delete_ticket", `{"ticket_id":"T1"}`); !in(got, `"deleted"`, `["T1"]`) {
		t.Errorf("deleted: %s", got)
	}
	if got := w.Call("get_ticket", `{"ticket_id":"T1"}`); !in(got, `"not_found"`) {
		t.Errorf("read after it was deleted: %s", got)
	}
	made := w.Call("create_ticket", `{"title":"broken"}`)
	_, rest, _ := strings.Cut(made, `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	if got := w.Call("get_ticket", `{"ticket_id":"`+id+`"}`); !in(got, `"title":"broken"`) {
		t.Errorf("%s read after it was created: %s", id, got)
	}
	w.Call("write_file", `{"path":"a.py","content":"x = 1"}`)
	if got := w.Call("read_file", `{"path":"a.py"}`); !in(got, `x = 1`) {
		t.Errorf("read after it was written: %s", got)
	}
	w.Reset(world.StateExists, nil)
	if got := w.Call("get_order", `{"order_id":"A1"}`); got != before {
		t.Errorf("another rollout sees %s", got)
	}
}

func TestAListAgreesWithALaterRead(t *testing.T) {
	w := catalog(t, 0).World(world.StateExists, nil)
	list := w.Call("search_orders", `{"query":"x"}`)
	_, rest, _ := strings.Cut(list, `"items":[`)
	item, _, _ := strings.Cut(rest, `}`)
	_, rest, _ = strings.Cut(item, `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	_, rest, _ = strings.Cut(item, `"name":"`)
	name, _, _ := strings.Cut(rest, `"`)
	if got := w.Call("get_order", `{"order_id":"`+id+`"}`); !in(got, `"name":"`+name+`"`) {
		t.Errorf("%s was listed as %s and reads %s", id, name, got)
	}
}

func TestPropertySameCallsSameAnswers(t *testing.T) {
	names := []string{"get_order", "cancel_order", "delete_ticket", "create_ticket", "search_orders", "write_file", "read_file", "run_shell", "nothing"}
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Int64().Draw(t, "seed")
		list, err := tools.Parse([]byte(`[{"name":"get_order","parameters":{"type":"object","properties":{"order_id":{"type":"string"}}}}]`))
		if err != nil {
			t.Fatal(err)
		}
		plan := world.Plan{{Tool: world.AnyTool, Mode: rapid.SampledFrom(world.Modes()).Draw(t, "mode"), Rate: rapid.Float64Range(0, 1).Draw(t, "rate")}}
		shared := world.NewCatalog(list, world.Options{Seed: seed})
		a, b := shared.World("", plan), world.NewCatalog(list, world.Options{Seed: seed}).World("", plan)
		for range rapid.IntRange(1, 10).Draw(t, "calls") {
			tool := rapid.SampledFrom(names).Draw(t, "tool")
			args := fmt.Sprintf(`{"order_id":%q,"path":"p"}`, rapid.StringMatching(`[A-Z][0-9]{1,3}`).Draw(t, "id"))
			x, y := a.Call(tool, args), b.Call(tool, args)
			if x != y || !jsontext.Value(x).IsValid() {
				t.Fatalf("%s %s: %s and %s", tool, args, x, y)
			}
		}
	})
}

func TestFaultRate(t *testing.T) {
	w := catalog(t, 3).World(world.StateExists, world.Plan{{Tool: "get_order", Mode: world.Timeout, Rate: 0.3}})
	failed := 0
	for i := range 10_000 {
		if in(w.Call("get_order", fmt.Sprintf(`{"order_id":"A%d"}`, i)), "timeout") {
			failed++
		}
	}
	if failed < 2850 || failed > 3150 {
		t.Errorf("%d of 10,000 calls failed at a rate of 0.3", failed)
	}
}

func TestPlan(t *testing.T) {
	p := world.Plan{{world.AnyTool, world.Timeout, 1}, {"a\"b", world.Stale, 0.5}}
	if got := p.JSON(); got != `{"*":{"mode":"timeout","rate":1},"a\"b":{"mode":"stale","rate":0.5}}` {
		t.Error(got)
	}
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	for _, bad := range []world.Plan{{{"*", "slow", 1}}, {{"*", world.Timeout, 1.5}}} {
		if err := bad.Check(); err == nil {
			t.Errorf("%v passed", bad)
		}
	}
}

func FuzzCall(f *testing.F) {
	f.Add("get_order", `{"order_id":"A1002"}`)
	f.Add("calculate", `{"expression":"1+1"}`)
	f.Add("create_ticket", `{"title":"\ud800","who":{"name":1}}`)
	c := catalog(f, 0)
	f.Fuzz(func(t *testing.T, tool, args string) {
		if got := c.World("", nil).Call(tool, args); !jsontext.Value(got).IsValid() {
			t.Errorf("%q %q: %q", tool, args, got)
		}
	})
}

func BenchmarkCall(b *testing.B) {
	w := catalog(b, 0).World(world.StateExists, nil)
	b.ReportAllocs()
	for b.Loop() {
		w.Reset(world.StateExists, nil)
		w.Call("get_order", `{"order_id":"A1002"}`)
	}
}
