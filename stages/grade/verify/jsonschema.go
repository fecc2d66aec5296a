package verify

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
)

// errLocalOnly is what a schema gets that refers to another document.
var errLocalOnly = errors.New("a schema may refer to nothing but itself")

// JSONSchema passes an answer that holds a JSON value which a schema allows: in
// its last fenced block, or as a whole, or between the first brace and the last.
// The schema is JSON Schema, draft 2020-12 where it does not say, and may refer to
// nothing outside itself; the version of the verifier is a hash of it. Gold of the
// options is not used.
//
// The error says what is wrong with the schema.
func JSONSchema(schema string, o Options) (*Verifier, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("verify: the schema is not JSON: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	const name = "schema:///schema.json"
	if err := c.AddResource(name, doc); err != nil {
		return nil, fmt.Errorf("verify: the schema: %w", err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		return nil, fmt.Errorf("verify: the schema: %w", err)
	}
	sum := sha256.Sum256([]byte(schema))
	return newVerifier("json-schema", hex.EncodeToString(sum[:6]), o, func(answer string, _ Reference, _ *rollout.Row) grade.Result {
		text, ok := jsonIn(answer)
		if !ok {
			return grade.Fail("no JSON found")
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return grade.Fail("no JSON found")
		}
		if !countable(value) {
			return grade.Fail("a number is too large")
		}
		if err := compiled.Validate(value); err != nil {
			return grade.Fail(cut(breach(err), maxBreach))
		}
		return grade.Pass("valid")
	}).without(), nil
}

// maxTens bounds the powers of ten in numbers: the library computes them in full,
// and panics where they are past what it can.
const maxTens = 1000

// countable reports whether the library may look at the numbers in a value.
func countable(value any) bool {
	switch v := value.(type) {
	case json.Number:
		at := strings.IndexAny(string(v), "eE")
		if at < 0 {
			return true
		}
		tens, err := strconv.Atoi(string(v[at+1:]))
		return err == nil && -maxTens <= tens && tens <= maxTens
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !countable(e) })
	case map[string]any:
		for _, e := range v {
			if !countable(e) {
				return false
			}
		}
	}
	return true
}

// noLoader refuses to read other documents.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errLocalOnly }

// maxBreach is how many bytes of what breaks a schema are told.
const maxBreach = 200

// breach tells the first breach of a schema by its place in the value. The
// library finds members in no particular order.
func breach(err error) string {
	failed, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err.Error()
	}
	type leaf struct{ place, text string }
	english := message.NewPrinter(language.English)
	var leaves []leaf
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			leaves = append(leaves, leaf{"/" + strings.Join(e.InstanceLocation, "/"), e.ErrorKind.LocalizedString(english)})
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(failed)
	first := slices.MinFunc(leaves, func(a, b leaf) int {
		return cmp.Or(strings.Compare(a.place, b.place), strings.Compare(a.text, b.text))
	})
	return first.place + ": " + first.text
}
