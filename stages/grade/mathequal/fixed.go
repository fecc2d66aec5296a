package mathequal

// A fixed is a plain decimal number of up to 18 digits, read without a tree.
type fixed struct {
	digits  int64 // the value times 10^places
	places  int   // without trailing zeros
	decimal bool  // written with a decimal point
}

// readFixed reads a number with an optional sign, currency sign, thousands in
// groups of three and decimals. A plain text may also group by spaces and write a
// decimal comma. ok is false for all else, which may still be a number.
func readFixed(s string, plain bool) (n fixed, ok bool) {
	for len(s) > 0 && blank(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && blank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	negative := false
	if len(s) > 0 && s[0] == '-' {
		negative, s = true, s[1:]
	}
	s = s[currency(s):]
	if len(s) == 0 || !digit(s[0]) && s[0] != '.' {
		return n, false
	}
	i := 0
	read := func() (count int) {
		for ; i < len(s) && digit(s[i]); i++ {
			n.digits = n.digits*10 + int64(s[i]-'0')
			count++
		}
		return count
	}
	if len(s) > 24 {
		return n, false
	}
	whole := read()
	total := whole
	if whole >= 1 && whole <= 3 && n.digits > 0 {
		for i+3 < len(s) && (s[i] == ',' || plain && s[i] == ' ') && threeDigits(s[i+1:]) {
			if i+4 < len(s) && digit(s[i+4]) {
				return n, false
			}
			i++
			total += read()
		}
	}
	if i < len(s) && (s[i] == '.' || plain && s[i] == ',' && total == whole) {
		point := s[i]
		i++
		n.places = read()
		total += n.places
		n.decimal = n.places > 0
		if total == 0 || point == ',' && n.places == 0 {
			return n, false
		}
	}
	if i < len(s) || total > 18 {
		return n, false
	}
	for n.places > 0 && n.digits%10 == 0 {
		n.digits /= 10
		n.places--
	}
	if negative {
		n.digits = -n.digits
	}
	return n, true
}

// hundredth returns n percent.
func (n fixed) hundredth() fixed {
	n.places += 2
	for n.places > 0 && n.digits%10 == 0 {
		n.digits /= 10
		n.places--
	}
	n.decimal = false
	return n
}

// equalFixed compares two plain numbers. decided is false where one of them is a
// decimal and has more than the six places that decimals are rounded to.
func equalFixed(a, b fixed) (equal, decided bool) {
	if a.digits == b.digits && a.places == b.places {
		return true, true
	}
	if (a.decimal || b.decimal) && (a.places > 6 || b.places > 6) {
		return false, false
	}
	return false, true
}
