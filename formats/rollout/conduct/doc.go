// Package conduct looks for bad conduct in a row: claims that nothing backs,
// tests that were edited or weakened, checks that were bypassed, destructive
// commands, secrets that were touched, and stock phrases (spec of gates,
// sections 1.12 and 1.13).
//
//	var b behaviour.Reader
//	var s conduct.Scanner
//	b.Read(&row)
//	flags := s.Scan(&b)
//	for _, flag := range flags.Fired() {
//		fmt.Println(flag, flags.Evidence(flag))
//	}
//
// A flag is a question about a row, not a verdict: it is read from texts and
// from what tools are called, and nothing was run to check it.
package conduct
