//go:build !cgo

package duckdb

import "testing"

func TestNeedsCgo(t *testing.T) { t.Skip("DuckDB needs cgo and a C compiler") }
