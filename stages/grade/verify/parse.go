package verify

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/mathequal"
)

// Grammar says how a grader is written in a line of text; see [Parse].
const Grammar = `  exact              the last line, else the whole answer, is the reference, but for
                     case, punctuation and space; exact:whole the whole alone
  contains           the reference stands in the answer; contains:any one of a list
  regex:PATTERN      the first group, or the match, is the reference; without a
                     reference a match passes
  numeric            the number of the answer is that of the reference, within
                     0.000001; numeric:0.01 or numeric:1% within so much
  math               the same mathematical object; math:strict without the quirks of
                     Math-Verify
  conduct            how the agent behaved, by rules and without a reference
  choice             the letter A to J of the right choice
  json-schema:FILE   the answer holds JSON that a schema allows
  tool-calls         the agent made the calls of the reference; tool-calls:FILE those
                     of an answer file of the Function Calling Leaderboard, by id;
                     tool-calls:ordered in their order, tool-calls:extra or more
  code               the code passes the tests in privileged.tests, in a sandbox;
                     code:FILE those in a file
  field:NAME         the verdict stands in a field already
  all(A,B,...)       the least reward; any(A,B,...) the highest; first(A,B,...) that of
                     the first with a verdict; not(A) turned around;
                     weighted(0.7*A,0.3*B) the mean`

// ParseOptions say where parsed verifiers find what they need.
type ParseOptions struct {
	Options
	ReadFile func(path string) ([]byte, error)         // default: [os.ReadFile]
	Code     func(o CodeOptions) (grade.Grader, error) // makes what runs code; default: code is refused
}

// SpecError says what is wrong with the text of a grader.
type SpecError struct {
	Spec   string
	At     int // byte at which it is wrong
	Detail string
	Err    error // what caused it; may be nil
}

// Error names the text and what is wrong in it.
func (e *SpecError) Error() string {
	return fmt.Sprintf("verify: %q, at %d: %s", e.Spec, e.At+1, e.Detail)
}

// Unwrap gives the cause.
func (e *SpecError) Unwrap() error { return e.Err }

// Parse reads a grader from a line of text: a word, with what it needs behind a
// colon, or a combination of such in brackets; [Grammar] has the words. What
// stands behind a colon goes to the end of the text, within brackets to the next
// comma or closing bracket that is not in brackets of its own; in double quotes it
// may hold anything. The error is a *[SpecError].
func Parse(spec string, o ParseOptions) (grade.Grader, error) {
	if o.ReadFile == nil {
		o.ReadFile = os.ReadFile
	}
	p := &parser{spec: spec, o: &o}
	g, err := p.grader()
	p.space()
	if err == nil && p.at < len(spec) {
		err = p.wrong("%q stands behind the end", spec[p.at:])
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

type parser struct {
	spec  string
	at    int
	depth int // brackets around
	o     *ParseOptions
}

// maxNesting is how deep combinations may nest.
const maxNesting = 50

func (p *parser) wrong(format string, args ...any) error {
	err := &SpecError{Spec: p.spec, At: p.at, Detail: fmt.Sprintf(format, args...)}
	for _, a := range args {
		if cause, ok := a.(error); ok {
			err.Err = cause
		}
	}
	return err
}

func (p *parser) space() {
	for p.at < len(p.spec) && p.spec[p.at] == ' ' {
		p.at++
	}
}

// take passes over a byte if it is next.
func (p *parser) take(c byte) bool {
	p.space()
	if p.at < len(p.spec) && p.spec[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) grader() (grade.Grader, error) {
	p.space()
	from := p.at
	for p.at < len(p.spec) && (isAlnum(p.spec[p.at]) || p.spec[p.at] == '-') {
		p.at++
	}
	word := p.spec[from:p.at]
	if p.at < len(p.spec) && p.spec[p.at] == '(' {
		return p.combination(word, from)
	}
	argument, err := p.argument()
	if err != nil {
		return nil, err
	}
	end := p.at
	p.at = from // where a mistake in the word is shown
	g, err := p.single(word, argument)
	if err == nil {
		p.at = end
	}
	return g, err
}

// argument reads what stands behind a colon, "" where there is none.
func (p *parser) argument() (string, error) {
	if p.at == len(p.spec) || p.spec[p.at] != ':' {
		return "", nil
	}
	p.at++
	rest := p.spec[p.at:]
	if strings.HasPrefix(rest, `"`) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", p.wrong("the quotes are not closed")
		}
		p.at += len(quoted)
		text, _ := strconv.Unquote(quoted)
		return text, nil
	}
	n := len(rest)
	if p.depth > 0 {
		n = endOfArgument(rest)
	}
	p.at += n
	return strings.TrimSpace(rest[:n]), nil
}

// endOfArgument is where an argument within brackets ends.
func endOfArgument(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(', '[', '{':
			depth++
		case ']', '}':
			depth--
		case ')':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth <= 0 {
				return i
			}
		}
	}
	return len(text)
}

func (p *parser) combination(word string, from int) (grade.Grader, error) {
	if !slices.Contains([]string{"all", "any", "first", "not", "weighted"}, word) {
		p.at = from
		return nil, p.wrong("there is no combination %q; there are all, any, first, not and weighted", word)
	}
	if p.depth++; p.depth > maxNesting {
		return nil, p.wrong("more than %d brackets within each other", maxNesting)
	}
	p.at++
	var parts []grade.Grader
	var weighted []Part
	for {
		weight := 0.0
		if word == "weighted" {
			var err error
			if weight, err = p.weight(); err != nil {
				return nil, err
			}
		}
		g, err := p.grader()
		if err != nil {
			return nil, err
		}
		parts, weighted = append(parts, g), append(weighted, Part{weight, g})
		if p.take(')') {
			break
		}
		if !p.take(',') {
			return nil, p.wrong("want a comma or a closing bracket")
		}
	}
	p.depth--
	switch word {
	case "all":
		return All(parts...), nil
	case "any":
		return Any(parts...), nil
	case "first":
		return First(parts...), nil
	case "weighted":
		return Weighted(weighted...), nil
	}
	if len(parts) != 1 {
		return nil, p.wrong("not takes one grader, not %d", len(parts))
	}
	return Not(parts[0]), nil
}

// weight reads the number and the star before a part.
func (p *parser) weight() (float64, error) {
	p.space()
	number, _, ok := strings.Cut(p.spec[p.at:], "*")
	weight, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(weight > 0) || weight > 1e9 {
		return 0, p.wrong("want a weight above 0 and a star, as in 0.7*numeric")
	}
	p.at += len(number) + 1
	return weight, nil
}

// bare are the words that take no argument, and variants of theirs behind a colon.
var bare = map[string]func(Options) grade.Grader{
	"exact":        func(o Options) grade.Grader { return Exact(ExactOptions{Options: o}) },
	"exact:whole":  func(o Options) grade.Grader { return Exact(ExactOptions{Options: o, Whole: true}) },
	"contains":     func(o Options) grade.Grader { return Contains(ContainsOptions{Options: o}) },
	"contains:any": func(o Options) grade.Grader { return Contains(ContainsOptions{Options: o, Any: true}) },
	"conduct":      func(Options) grade.Grader { return grade.Conduct() },
	"choice":       func(o Options) grade.Grader { return Choice(o) },
	"math":         func(o Options) grade.Grader { return MathEqual(MathOptions{Options: o}) },
	"math:strict": func(o Options) grade.Grader {
		return MathEqual(MathOptions{Options: o, Math: mathequal.Options{Mode: mathequal.Strict}})
	},
}

// wordList is what graders are called, for those who wrote something else.
const wordList = "exact, contains, regex, numeric, math, choice, conduct, json-schema, tool-calls, code and field"

func (p *parser) single(word, argument string) (grade.Grader, error) {
	full := word
	if argument != "" {
		full += ":" + argument
	}
	if make, ok := bare[full]; ok {
		return make(p.o.Options), nil
	}
	switch word {
	case "numeric":
		return p.numeric(argument)
	case "regex":
		if argument == "" {
			return nil, p.wrong("regex wants a pattern, as in regex:^yes")
		}
		v, err := Regex(argument, p.o.Options)
		return p.checked(v, err)
	case "field":
		f, err := ParseField(argument)
		if argument == "" || err != nil {
			return nil, p.wrong("field wants the name of one, as in field:is_correct")
		}
		return Reward(f), nil
	case "json-schema":
		text, err := p.file(word, argument)
		if err != nil {
			return nil, err
		}
		v, err := JSONSchema(string(text), p.o.Options)
		return p.checked(v, err)
	case "tool-calls":
		return p.toolCalls(argument)
	case "code":
		return p.code(argument)
	case "exact", "contains", "choice", "math", "conduct":
		return nil, p.wrong("there is no %s", full)
	}
	return nil, p.wrong("there is no grader %q; there are %s", word, wordList)
}

// checked is a verifier, or what is wrong with its argument.
func (p *parser) checked(v *Verifier, err error) (grade.Grader, error) {
	if err != nil {
		return nil, p.wrong("%v", err)
	}
	return v, nil
}

// numeric reads a tolerance, or a relative one in percent.
func (p *parser) numeric(argument string) (grade.Grader, error) {
	o := NumericOptions{Options: p.o.Options}
	if argument != "" {
		number, percent := strings.CutSuffix(argument, "%")
		f, err := strconv.ParseFloat(number, 64)
		if err != nil || !(f >= 0) || f > 1e300 {
			return nil, p.wrong("numeric wants a number from 0 on, or one with a percent sign")
		}
		if percent {
			o.Relative = f / 100
		} else {
			o.Tolerance = f
		}
	}
	return Numeric(o), nil
}

func (p *parser) toolCalls(argument string) (grade.Grader, error) {
	o := ToolCallOptions{Options: p.o.Options}
	for {
		word, rest, _ := strings.Cut(argument, ":")
		switch word {
		case "ordered":
			o.Ordered = true
		case "extra":
			o.Extra = true
		case "":
			return ToolCalls(o), nil
		default:
			text, err := p.file("tool-calls", argument)
			if err != nil {
				return nil, err
			}
			if o.Answers, err = ReadCallAnswers(bytes.NewReader(text)); err != nil {
				return nil, p.wrong("%s: %v", argument, err)
			}
			return ToolCalls(o), nil
		}
		argument = rest
	}
}

func (p *parser) code(argument string) (grade.Grader, error) {
	if p.o.Code == nil {
		return nil, p.wrong("code cannot be run here")
	}
	o := CodeOptions{Options: p.o.Options}
	if argument != "" {
		text, err := p.file("code", argument)
		if err != nil {
			return nil, err
		}
		o.Tests = string(text)
	}
	g, err := p.o.Code(o)
	if err != nil {
		return nil, p.wrong("%v", err)
	}
	return g, nil
}

// file reads the file that a word names.
func (p *parser) file(word, path string) ([]byte, error) {
	if path == "" {
		return nil, p.wrong("%s wants a file, as in %s:FILE", word, word)
	}
	text, err := p.o.ReadFile(path)
	if err != nil {
		return nil, p.wrong("%s: %v", word, err)
	}
	return text, nil
}
