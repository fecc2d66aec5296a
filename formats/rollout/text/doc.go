// Package text holds the text primitives that the gates agree on: lower case,
// white space, words, tokens, lines, whether a reply is finished, and the stock
// phrases of style (spec of gates, sections 1.3, 1.6, 1.13 and 4.2). They do
// what Python's text does, code point for code point, since hashes and counts
// are taken of their results; plain ASCII takes a fast path.
//
//	text.Norm("  Please\tREFUND it ")                  // "please refund it"
//	text.AppendWords(buf[:0], "Look up ORD-4017, now") // "look up ord 4017 now"
//	text.LooksFinished("The total is")                 // false
//
// The Append forms write to a buffer of the caller and do not allocate. Lengths
// of text are counted in code points everywhere.
package text
