package mathequal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is what a token is.
type tokenKind uint8

const (
	endToken     tokenKind = iota
	numberToken            // digits, perhaps with a point and an exponent
	wordToken              // letters that stand together
	commandToken           // \name, without the backslash; also what a sign stands for
	textToken              // the content of \text{...}
	signToken              // one sign
)

// A token is the smallest piece of an answer.
type token struct {
	kind tokenKind
	text string
}

// A lexer cuts an answer into tokens.
type lexer struct {
	text   string
	at     int
	tokens []token
	depth  int  // of brackets, within which 1,000 is a pair
	powers bool // 2.5e3 is 2500, and not 2.5 e 3
}

// errUnreadable says that a text is not mathematics as this package reads it.
const errUnreadable = constError("mathequal: not a mathematical expression")

type constError string

func (e constError) Error() string { return string(e) }

// lex returns the tokens of a normalised text, an endToken last.
func lex(s string, mode Mode) ([]token, error) {
	l := lexer{text: s, tokens: make([]token, 0, len(s)/2+2), powers: mode == Strict}
	for l.at < len(s) {
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	return append(l.tokens, token{}), nil
}

func (l *lexer) add(k tokenKind, text string) { l.tokens = append(l.tokens, token{k, text}) }

func (l *lexer) next() error {
	rest := l.text[l.at:]
	switch c := rest[0]; {
	case blank(c), c == '$', c == '~', c == '"', c == '`':
		l.at++
	case digit(c), c == '.' && len(rest) > 1 && digit(rest[1]):
		l.number()
	case letter(c):
		end := l.at
		for end < len(l.text) && letter(l.text[end]) {
			end++
		}
		l.word(l.text[l.at:end])
		l.at = end
	case c == '\\':
		return l.command()
	case c == '*' && strings.HasPrefix(rest, "**"):
		l.at += 2
		l.add(signToken, "^")
	case c == '<' && strings.HasPrefix(rest, "<="), c == '>' && strings.HasPrefix(rest, ">="), c == '!' && strings.HasPrefix(rest, "!="):
		l.at += 2
		l.add(commandToken, map[byte]string{'<': "le", '>': "ge", '!': "ne"}[c])
	case c < utf8.RuneSelf:
		if strings.IndexByte("+-*/^_=<>!|()[]{},;:%&'", c) < 0 {
			return errUnreadable
		}
		l.at++
		l.sign(c)
	default:
		return l.rune()
	}
	return nil
}

func (l *lexer) sign(c byte) {
	switch c {
	case '(', '[':
		l.depth++
	case ')', ']':
		l.depth--
	case ';':
		c = ','
	}
	l.add(signToken, string(rune(c)))
}

// word adds letters that stand together: a connective is a comma, a percent word a
// percent sign.
func (l *lexer) word(w string) {
	switch strings.ToLower(w) {
	case "and", "or":
		l.add(signToken, ",")
	case "percent", "percentage", "pct":
		l.add(signToken, "%")
	default:
		l.add(wordToken, w)
	}
}

// number adds a number: thousands in groups of three, outside brackets; decimals;
// and where they are read a power of ten such as e3 that no letter follows.
func (l *lexer) number() {
	t := l.text
	begin := l.at
	j := digitsEnd(t, begin)
	if l.depth <= 0 && j-begin <= 3 && j > begin && t[begin] != '0' {
		grouped := j
		for grouped+3 < len(t) && t[grouped] == ',' && threeDigits(t[grouped+1:]) && (grouped+4 == len(t) || !digit(t[grouped+4])) {
			grouped += 4
		}
		j = grouped
	}
	if j < len(t) && t[j] == '.' && (j > begin || j+1 < len(t) && digit(t[j+1])) {
		j = digitsEnd(t, j+1)
	}
	if l.powers && j < len(t) && (t[j] == 'e' || t[j] == 'E') {
		k := j + 1
		if k < len(t) && (t[k] == '-' || t[k] == '+') {
			k++
		}
		end := digitsEnd(t, k)
		if end > k && (end == len(t) || !letter(t[end])) {
			j = end
		}
	}
	l.at = j
	s := t[begin:j]
	if strings.Contains(s, ",") {
		s = strings.ReplaceAll(s, ",", "")
	}
	l.add(numberToken, s)
}

// command adds a command. Spaces, sizes and styles are left out, fonts read
// through, and names of one thing made one.
func (l *lexer) command() error {
	rest := l.text[l.at+1:]
	if rest == "" {
		return errUnreadable
	}
	n := 0
	for n < len(rest) && letter(rest[n]) {
		n++
	}
	if n == 0 {
		return l.escaped(rest[0])
	}
	name := rest[:n]
	l.at += 1 + n
	if one, ok := sameCommands[name]; ok {
		name = one
	}
	switch {
	case name == "":
	case !letter(name[0]):
		l.add(signToken, name)
	case name == "left", name == "right":
		if strings.HasPrefix(l.text[l.at:], ".") {
			l.at++
		}
	case name == "text":
		return l.textGroup()
	case name == "begin", name == "end":
		group, err := l.group()
		if err != nil {
			return err
		}
		l.add(commandToken, name+" "+strings.TrimRight(group, "*"))
		if strings.HasPrefix(group, "array") && strings.HasPrefix(l.text[l.at:], "{") {
			_, err = l.group()
		}
		return err
	case decorations[name]:
		for strings.HasPrefix(l.text[l.at:], " ") {
			l.at++
		}
		content := ""
		if strings.HasPrefix(l.text[l.at:], "{") {
			group, err := l.group()
			if err != nil {
				return err
			}
			content = group
		} else if r, n := utf8.DecodeRuneInString(l.text[l.at:]); n > 0 && unicode.IsLetter(r) {
			content = l.text[l.at : l.at+n]
			l.at += n
		}
		l.add(commandToken, "decorated "+name+" "+squeezed(content))
	default:
		l.add(commandToken, name)
	}
	return nil
}

// escaped adds what a backslash and a sign stand for.
func (l *lexer) escaped(c byte) error {
	l.at += 2
	switch c {
	case ' ', ',', ';', ':', '!', '>', '$', '/', '\n':
	case '%', '&':
		l.add(signToken, string(rune(c)))
	case '{':
		l.depth++
		l.add(signToken, `\{`)
	case '}':
		l.depth--
		l.add(signToken, `\}`)
	case '|':
		l.add(signToken, "|")
	case '_', '#':
		return errUnreadable
	case '\\':
		l.add(commandToken, "newline")
	default:
		return errUnreadable
	}
	return nil
}

// group returns the content of the braces that follow.
func (l *lexer) group() (string, error) {
	end := -1
	if l.at < len(l.text) && l.text[l.at] == '{' {
		end = closingBrace(l.text, l.at)
	}
	if end < 0 {
		return "", errUnreadable
	}
	s := l.text[l.at+1 : end]
	l.at = end + 1
	return s, nil
}

// rune adds a sign or letter outside ASCII.
func (l *lexer) rune() error {
	r, n := utf8.DecodeRuneInString(l.text[l.at:])
	l.at += n
	if t, ok := signs[r]; ok {
		if t.text != "" {
			l.tokens = append(l.tokens, t)
		}
		return nil
	}
	if r == utf8.RuneError || !unicode.IsLetter(r) {
		if unicode.IsSpace(r) || currency(l.text[l.at-n:]) > 0 {
			return nil
		}
		return errUnreadable
	}
	l.add(commandToken, "letter "+string(unicode.ToLower(r)))
	return nil
}
