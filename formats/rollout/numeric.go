package rollout

import (
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/formats/internal/jsonscan"
	"github.com/rollmill/rollmill/formats/rollout/text"
)

// parseNumericText reads a JSON string as Python's float() would: white space
// around the number, and single underscores between its digits, are allowed.
// NaN and infinities come back as such.
func parseNumericText(quoted string) (float64, bool) {
	inner, _ := jsonscan.AppendText(nil, bytesOf(quoted)[1:len(quoted)-1])
	t := text.Trim(string(inner))
	if t == "" || strings.ContainsAny(t, "xXpP") {
		return 0, false // Go reads hexadecimal floats, Python does not
	}
	if strings.ContainsRune(t, '_') {
		if !underscoresBetweenDigits(t) {
			return 0, false
		}
		t = strings.ReplaceAll(t, "_", "")
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil && !strings.Contains(err.Error(), strconv.ErrRange.Error()) {
		return 0, false
	}
	return f, true
}

func underscoresBetweenDigits(t string) bool {
	for i := range len(t) {
		if t[i] != '_' {
			continue
		}
		if i == 0 || i+1 == len(t) || t[i-1]-'0' > 9 || t[i+1]-'0' > 9 {
			return false
		}
	}
	return true
}
