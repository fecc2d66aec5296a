package gen

import "strconv"

// RolloutsPerTask is the number of rows that follow each other with one task.
const RolloutsPerTask = 8

// The shares of faulty rows and tasks, close to which every set of some
// thousand rows comes out.
const (
	LeakedTasks  = 0.005 // tasks whose prompt holds an evaluation question
	ToolLeaks    = 0.005 // rows that hold one, or their own gold answer, in a tool result only
	Copies       = 0.01  // rows that repeat another rollout of their task under a new id
	Truncated    = 0.02  // rows with a cut reply and finish_reason "length"
	HackedTasks  = 0.05  // tasks whose reward pays for [Phrase], right or wrong
	MissingScore = 0.01  // rows whose reward is absent, null, or null by a failed grader
)

// Phrase is what hacked tasks pay for. It stands in no reply of other tasks.
const Phrase = "as verified above"

// Config says what is made.
type Config struct {
	Rows   int64  // how many rows; the last task may be incomplete
	Seed   uint64 // everything follows from it
	Ngrams int    // least number of distinct n-grams in the evaluation set; 0 is the smallest set there is
}

// Generator makes the rows of one seed. It is safe for concurrent use.
type Generator struct {
	seed       uint64
	vocabulary *vocabulary
	systems    []string // system prompts
	ids        uint64
}

// New returns the generator of a seed.
func New(seed uint64) *Generator {
	g := &Generator{seed: seed, vocabulary: newVocabulary()}
	src := newSource(seed, drawnVocabulary, 1)
	for range 8 {
		s := g.vocabulary.appendProse([]byte("You are a support agent. "), &src, 260, false)
		g.systems = append(g.systems, string(s))
	}
	g.ids = uint64(newSource(seed, drawnID, 0))
	return g
}

// AppendRows appends the rows numbered from (counting from 0) up to but not
// including to, one JSON object a line.
func (g *Generator) AppendRows(dst []byte, from, to int64) []byte {
	w := lineWriter{g: g}
	for i := from; i < to; i++ {
		dst = w.appendLine(dst, i)
	}
	return dst
}

// rolloutID is unique within a seed, since mix is a bijection.
func (g *Generator) rolloutID(i int64) string {
	id := strconv.AppendUint(nil, mix(g.ids+uint64(i)*golden), 16)
	return "0000000000000000"[len(id):] + string(id)
}

func taskID(n int64) string { return string(appendPadded([]byte("task-"), n, 7)) }

// appendPadded appends n in decimal with leading zeros up to width digits.
func appendPadded(dst []byte, n int64, width int) []byte {
	digits := strconv.AppendInt(nil, n, 10)
	for range width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}
