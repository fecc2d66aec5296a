// Package duckdb holds formats/parquet against DuckDB: each reads what the
// other writes. The tests need cgo and a C compiler.
package duckdb
