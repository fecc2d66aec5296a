package parquet

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/rollmill/rollmill/formats/internal/jsonscan"
)

// appendScalar appends a value as JSON. Dates, times and decimals become text,
// as do bytes, in base64 unless they are UTF-8. Columns of JSON are that JSON.
// NaN and infinities are null.
func appendScalar(dst []byte, typ parquet.Type, v parquet.Value) (_ []byte, there bool) {
	if v.IsNull() {
		return dst, false
	}
	switch lt := logicalOf(typ).(type) {
	case *format.DecimalType:
		return appendQuoted(dst, decimalText(unscaled(v), int(lt.Scale))), true
	case *format.DateType:
		return appendQuoted(dst, time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)), true
	case *format.TimestampType:
		zone := ""
		if lt.IsAdjustedToUTC {
			zone = "Z"
		}
		return appendQuoted(dst, instant(v.Int64(), lt.Unit).Format("2006-01-02T15:04:05.999999999"+zone)), true
	case *format.TimeType:
		ticks := int64(v.Int32())
		if v.Kind() == parquet.Int64 {
			ticks = v.Int64()
		}
		return appendQuoted(dst, instant(ticks, lt.Unit).Format("15:04:05.999999999")), true
	case *format.UUIDType:
		h := hex.EncodeToString(v.ByteArray())
		return appendQuoted(dst, h[:8]+"-"+h[8:12]+"-"+h[12:16]+"-"+h[16:20]+"-"+h[20:]), true
	case *format.JsonType:
		s := jsonscan.Scanner{Buf: v.ByteArray()}
		if s.Valid() && len(s.NonFinite) == 0 {
			return append(dst, v.ByteArray()...), true
		}
	case *format.IntType:
		if !lt.IsSigned && v.Kind() == parquet.Int32 {
			return strconv.AppendUint(dst, uint64(uint32(v.Int32())), 10), true
		} else if !lt.IsSigned {
			return strconv.AppendUint(dst, uint64(v.Int64()), 10), true
		}
	}
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.AppendBool(dst, v.Boolean()), true
	case parquet.Int32:
		return strconv.AppendInt(dst, int64(v.Int32()), 10), true
	case parquet.Int64:
		return strconv.AppendInt(dst, v.Int64(), 10), true
	case parquet.Int96:
		return appendQuoted(dst, int96Time(v).Format("2006-01-02T15:04:05.999999999")), true
	case parquet.Float:
		return appendFloat(dst, float64(v.Float()), 32)
	case parquet.Double:
		return appendFloat(dst, v.Double(), 64)
	}
	if b := v.ByteArray(); !utf8.Valid(b) {
		return appendQuoted(dst, base64.StdEncoding.EncodeToString(b)), true
	}
	return appendQuoted(dst, view(v.ByteArray())), true
}

func logicalOf(typ parquet.Type) any {
	if lt := typ.LogicalType(); lt != nil {
		return lt.Value
	}
	return nil
}

func appendQuoted(dst []byte, text string) []byte { return jsonscan.AppendString(dst, text) }

func appendFloat(dst []byte, x float64, bits int) (_ []byte, there bool) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return dst, false
	}
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, x, 'e', -1, bits), true
	}
	return strconv.AppendFloat(dst, x, 'f', -1, bits), true
}

// instant is a number of units since 1970.
func instant(ticks int64, unit format.TimeUnit) time.Time {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(ticks).UTC()
	case *format.MicroSeconds:
		return time.UnixMicro(ticks).UTC()
	}
	return time.Unix(0, ticks).UTC()
}

// int96Time reads the deprecated timestamp: nanoseconds and a Julian day.
func int96Time(v parquet.Value) time.Time {
	const julianDayOf1970 = 2440588
	x := v.Int96()
	nanos := int64(x[1])<<32 | int64(x[0])
	return time.Unix((int64(x[2])-julianDayOf1970)*86400, nanos).UTC()
}

// unscaled is the integer of a decimal.
func unscaled(v parquet.Value) *big.Int {
	switch v.Kind() {
	case parquet.Int32:
		return big.NewInt(int64(v.Int32()))
	case parquet.Int64:
		return big.NewInt(v.Int64())
	}
	b := v.ByteArray() // two's complement, the highest byte first
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}

// decimalText places the point of a decimal.
func decimalText(n *big.Int, scale int) string {
	text := []byte(new(big.Int).Abs(n).String())
	if scale > 0 {
		for len(text) <= scale {
			text = slices.Insert(text, 0, '0')
		}
		text = slices.Insert(text, len(text)-scale, '.')
	}
	if n.Sign() < 0 {
		text = slices.Insert(text, 0, '-')
	}
	return string(text)
}
