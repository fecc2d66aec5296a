package tools_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/stages/simulate/tools"
)

type address struct {
	City string `json:"city"`
}

type lookup struct {
	OrderID string          `json:"order_id" description:"such as A1002"`
	Detail  string          `json:"detail,omitempty" enum:"short,full"`
	Count   int             `json:"count"`
	Share   *float64        `json:"share,omitempty"`
	Tags    []string        `json:"tags,omitempty"`
	Labels  map[string]bool `json:"labels,omitempty"`
	Where   address         `json:"where"`
	Any     any             `json:"any,omitempty"`
	Hidden  string          `json:"-"`
}

func echo(_ context.Context, in lookup) (map[string]any, error) {
	if in.OrderID == "" {
		return nil, errors.New("no order")
	}
	return map[string]any{"id": in.OrderID, "n": in.Count}, nil
}

func TestFunc(t *testing.T) {
	tool := tools.Func("get_order", "Look an\n order up.\n\nMore of it.", echo)
	const want = `{"type":"function","function":{"name":"get_order","description":"Look an order up.","parameters":` +
		`{"type":"object","properties":{"order_id":{"type":"string","description":"such as A1002"},` +
		`"detail":{"type":"string","enum":["short","full"]},"count":{"type":"integer"},"share":{"type":"number"},` +
		`"tags":{"type":"array","items":{"type":"string"}},"labels":{"type":"object","additionalProperties":{"type":"boolean"}},` +
		`"where":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},"any":{}},` +
		`"required":["order_id","count","where"]}}}`
	if got := tool.Schema(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if !tool.Refers() {
		t.Error("order_id names no entity")
	}
	p, ok := tool.Param("order_id")
	if !ok || p.Type != "string" || !p.Required || p.Description != "such as A1002" {
		t.Errorf("%+v", p)
	}
	if where, _ := tool.Param("where"); len(where.Params) != 1 || where.Params[0].Name != "city" || !where.Params[0].Required {
		t.Errorf("%+v", where)
	}
	got, err := tool.Call(t.Context(), `{"order_id":"A1","count":2,"where":{"city":"Ulm"}}`)
	if err != nil || got != `{"id":"A1","n":2}` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := tool.Call(t.Context(), `{"count":"x"}`); err == nil {
		t.Error("a text was taken for a number")
	}
}

func TestFuncRefusesWhatHasNoSchema(t *testing.T) {
	defer func() {
		if got, _ := recover().(string); !strings.HasPrefix(got, "tools: bad: ") {
			t.Errorf("panic %q", got)
		}
	}()
	tools.Func("bad", "", func(context.Context, struct{ C chan int }) (int, error) { return 0, nil })
}

func TestParse(t *testing.T) {
	const bare = `{"name":"a","description":"does a","parameters":{"type":"object","properties":{"id":{"type":["null","string"]}},"required":["id"]}}`
	for _, c := range []struct{ name, text, want string }{
		{"a list", `[` + bare + `]`, "a"},
		{"one tool", bare, "a"},
		{"nested", `[{"type":"function","function":` + bare + `}]`, "a"},
		{"under tools", `{"tools":[` + bare + `,{"name":"b"}]}`, "a b"},
		{"input_schema", `[{"name":"c","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}]`, "c"},
		{"the later one stays", `[{"name":"a"},{"name":"b"},` + bare + `]`, "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := tools.Parse([]byte(c.text))
			if err != nil || strings.Join(tools.Names(got), " ") != c.want {
				t.Errorf("%v, %v", tools.Names(got), err)
			}
			again, err := tools.Parse([]byte(tools.Schemas(got)))
			if err != nil || tools.Schemas(again) != tools.Schemas(got) {
				t.Errorf("%s, %v", tools.Schemas(again), err)
			}
		})
	}
	if got, _ := tools.Parse([]byte(bare)); len(got) != 1 || got[0].Params()[0].Type != "string" {
		t.Errorf("%+v", got)
	}
	for name, text := range map[string]string{
		"no JSON": `[`, "a number": `1`, "no name": `[{"description":"x"}]`,
		"parameters that are no schema": `[{"name":"a","parameters":[]}]`, "a list of texts": `["a"]`,
	} {
		if got, err := tools.Parse([]byte(text)); !errors.Is(err, tools.ErrTool) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestRefers(t *testing.T) {
	for name, want := range map[string]bool{
		"id": true, "order_id": true, "Path": true, "file_path": true, "sku": true, "repo": true, "issue_ref": true,
		"query": false, "identity": false, "paid": false, "filename": false,
	} {
		if tools.Refers(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`[{"name":"a","parameters":{"type":"object","properties":{"id":{"type":"string","enum":[1,"b"]}}}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := tools.Parse(text)
		if err != nil {
			return
		}
		again, err := tools.Parse([]byte(tools.Schemas(got)))
		if err != nil || tools.Schemas(again) != tools.Schemas(got) {
			t.Errorf("%s became %s, %v", tools.Schemas(got), tools.Schemas(again), err)
		}
	})
}
