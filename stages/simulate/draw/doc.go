// Package draw makes choices that follow from a text alone: every draw of a
// simulation is a hash of a seed and of what the draw is about, so that the
// order of work and the number of workers cannot show (spec of simulation,
// section 15).
//
//	draw.Hex("exists:0:A1002", 8)%10 < 7 // the first eight hexadecimal digits of SHA-256
package draw
