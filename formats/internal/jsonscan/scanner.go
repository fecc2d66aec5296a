package jsonscan

// MaxDepth is how deep arrays and objects may nest.
const MaxDepth = 10000

// Scanner walks over the JSON text in Buf. Its methods take the offset to
// start at and return the offset behind what they read, or -1 after setting
// Err. It is not safe for concurrent use.
type Scanner struct {
	Buf       []byte
	Err       Error  // why a method returned -1
	NonFinite []Span // bare NaN, Infinity and -Infinity met since the last Reset
	Lone      int    // lone surrogate escapes met since the last Reset
	Depth     int    // levels around Buf's values that the caller walks itself

	stack [(MaxDepth + 64) / 64]uint64 // a bit a level: 1 for an object
}

// Span is a part of Buf.
type Span struct{ Start, End int }

// Reset points the scanner at new text.
func (s *Scanner) Reset(buf []byte) {
	s.Buf, s.NonFinite, s.Lone, s.Depth = buf, s.NonFinite[:0], 0, 0
}

// Space returns the offset of the first byte at or after i that is not white space.
func (s *Scanner) Space(i int) int {
	for i < len(s.Buf) && isSpace(s.Buf[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// Valid checks that Buf is exactly one JSON value with white space around it.
func (s *Scanner) Valid() bool {
	i := s.Value(s.Space(0))
	return i >= 0 && s.End(i)
}

// End checks that nothing but white space stands at or after i.
func (s *Scanner) End(i int) bool {
	if i = s.Space(i); i < len(s.Buf) {
		s.fail(i, "the end of the record")
		return false
	}
	return true
}

// Value passes over the value that starts at i.
func (s *Scanner) Value(i int) int {
	b := s.Buf
	depth := 0
	var isObject bool
value:
	if i >= len(b) {
		return s.fail(i, "a value")
	}
	switch b[i] {
	case '"':
		if i, _ = s.String(i); i < 0 {
			return -1
		}
	case '{', '[':
		if depth+s.Depth >= MaxDepth {
			return s.TooDeep(i)
		}
		isObject = b[i] == '{'
		s.push(depth, isObject)
		depth++
		i = s.Space(i + 1)
		if i < len(b) && b[i] == closing(isObject) {
			i++
			depth--
			break
		}
		if isObject {
			goto name
		}
		goto value
	default:
		if i = s.Scalar(i); i < 0 {
			return -1
		}
	}
after:
	if depth == 0 {
		return i
	}
	i = s.Space(i)
	isObject = s.top(depth)
	switch {
	case i >= len(b):
		return s.fail(i, wantAfter(isObject))
	case b[i] == ',':
		i = s.Space(i + 1)
		if isObject {
			goto name
		}
		goto value
	case b[i] == closing(isObject):
		i++
		depth--
		goto after
	default:
		return s.fail(i, wantAfter(isObject))
	}
name:
	if _, i, _ = s.Name(i); i < 0 {
		return -1
	}
	goto value
}

// TooDeep sets Err for a value at i that is nested too deeply, and returns -1.
func (s *Scanner) TooDeep(i int) int { return s.fail(i, "at most 10,000 levels of nesting") }

// Name passes over a member's name and its colon. It returns the offset behind
// the closing quote of the name and the offset of the value, or -1 for both;
// plain tells that the name holds no escapes. i must not be white space.
func (s *Scanner) Name(i int) (nameEnd, value int, plain bool) {
	if i >= len(s.Buf) || s.Buf[i] != '"' {
		s.fail(i, "a name in quotes")
		return -1, -1, false
	}
	if nameEnd, plain = s.String(i); nameEnd < 0 {
		return -1, -1, false
	}
	if i = nameEnd; i < len(s.Buf) && s.Buf[i] != ':' {
		i = s.Space(i)
	}
	if i >= len(s.Buf) || s.Buf[i] != ':' {
		s.fail(i, "':' after a name")
		return -1, -1, false
	}
	return nameEnd, s.Space(i + 1), plain
}

// Scalar passes over a number, a literal, or a bare NaN or Infinity.
func (s *Scanner) Scalar(i int) int {
	if i >= len(s.Buf) {
		return s.fail(i, "a value")
	}
	switch c := s.Buf[i]; c {
	case 't':
		return s.literal(i, "true")
	case 'f':
		return s.literal(i, "false")
	case 'n':
		return s.literal(i, "null")
	case 'N':
		return s.nonFinite(i, "NaN")
	case 'I':
		return s.nonFinite(i, "Infinity")
	case '-':
		if i+1 < len(s.Buf) && s.Buf[i+1] == 'I' {
			return s.nonFinite(i, "-Infinity")
		}
		return s.Number(i)
	default:
		if c < '0' || c > '9' {
			return s.fail(i, "a value")
		}
		return s.Number(i)
	}
}

func (s *Scanner) literal(i int, word string) int {
	if !hasPrefix(s.Buf[i:], word) {
		return s.fail(i, word)
	}
	return i + len(word)
}

func (s *Scanner) nonFinite(i int, word string) int {
	end := s.literal(i, word)
	if end > 0 {
		s.NonFinite = append(s.NonFinite, Span{i, end})
	}
	return end
}

// Number passes over a number that starts at i.
func (s *Scanner) Number(i int) int {
	b := s.Buf
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	case i < len(b) && isDigit(b[i]):
		i = digits(b, i)
	default:
		return s.fail(i, "a digit")
	}
	if i < len(b) && b[i] == '.' {
		if i++; i >= len(b) || !isDigit(b[i]) {
			return s.fail(i, "a digit")
		}
		i = digits(b, i)
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if i >= len(b) || !isDigit(b[i]) {
			return s.fail(i, "a digit")
		}
		i = digits(b, i)
	}
	return i
}

func isDigit(c byte) bool { return c-'0' < 10 }

func digits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

func (s *Scanner) push(depth int, isObject bool) {
	w, bit := depth>>6, uint64(1)<<(depth&63)
	if isObject {
		s.stack[w] |= bit
	} else {
		s.stack[w] &^= bit
	}
}

func (s *Scanner) top(depth int) (isObject bool) {
	depth--
	return s.stack[depth>>6]>>(depth&63)&1 == 1
}

func closing(isObject bool) byte {
	if isObject {
		return '}'
	}
	return ']'
}

func wantAfter(isObject bool) string {
	if isObject {
		return "',' or '}'"
	}
	return "',' or ']'"
}

func hasPrefix(b []byte, word string) bool {
	return len(b) >= len(word) && string(b[:len(word)]) == word
}
