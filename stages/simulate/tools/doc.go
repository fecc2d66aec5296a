// Package tools describes the tools of an agent: a name, what it does, and the
// JSON schema of its parameters. A typed Go function is a tool, and so is any
// schema that a chat API takes (spec of simulation, section 6.1).
//
//	type Lookup struct {
//		OrderID string `json:"order_id" description:"such as A1002"`
//		Detail  string `json:"detail,omitempty" enum:"short,full"`
//	}
//	lookup := tools.Func("get_order", "Look an order up.", func(ctx context.Context, in Lookup) (Order, error) { ... })
package tools
