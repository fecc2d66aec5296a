// Package decode holds the row decoder against other JSON libraries that fill
// an equal struct from the same records.
package decode
