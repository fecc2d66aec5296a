// Package jsonwalk goes through the members and elements of JSON text with range
// loops, for everything that is not the hot path of package jsonscan beneath it.
// Names and values are parts of the text, not copies.
//
//	for name, value := range jsonwalk.Members(record) {
//		if name == "samples" {
//			for sample := range jsonwalk.Elements(value) {
//				...
//
// The text was checked before, or is the head of something longer: a value that
// the end of the text cuts off is given as far as it goes.
package jsonwalk
