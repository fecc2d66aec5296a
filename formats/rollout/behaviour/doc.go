// Package behaviour says what an agent did in a row: the message view, the
// steps and calls, lengths and texts, whether the reply was cut off, the
// signature of the behaviour, the fault that was met, and whether what only the
// grader may know leaked into the reply (spec of gates, sections 1.5 to 1.8 and
// 1.11).
//
//	var b behaviour.Reader // one a worker; decode behaviour.Fields
//	for i := range rows {
//		b.Read(&rows[i])
//		b.ToolCalls()   // all from one parse of the row's steps,
//		b.Signature()   // made when first asked for
//		b.ReplyLength()
//	}
package behaviour
