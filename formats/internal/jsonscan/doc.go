// Package jsonscan reads JSON text that lies whole in memory, a token at a
// time and without allocating. It is the hot path beneath row decoding: eight
// bytes are looked at at once, strings are not copied, and every value that is
// passed over is checked all the same: grammar, escapes and UTF-8.
//
//	s := jsonscan.Scanner{Buf: line}
//	end := s.Value(s.Space(0)) // passes over the first value
//	if end < 0 {
//		return &s.Err // offset, what was found, what was wanted
//	}
//
// Three things that strict JSON refuses are accepted, since data from other
// programs is full of them: duplicate names, lone surrogate escapes, and bare
// NaN and Infinity, whose places are listed in NonFinite for the caller to mend.
package jsonscan
