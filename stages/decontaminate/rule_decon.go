package decontaminate

import "slices"

// Decon is the rule of allenai/decon over words in place of tokens. A question is
// looked for by clusters that grow to both sides of an n-gram found, and scored by
// the weights of its different n-grams, ln(texts / texts that have it); the answer
// is looked for behind the cluster and the passage before it. Their scores count
// 0.7, 0.2 and 0.1; 0.75 and 0.25 without a passage; 0.85 and 0.15 without an
// answer. What must be reached falls from 1 at 20 words to Threshold at 50.
//
// The score depends on the threshold: another threshold is another scale.
//
// As there, an item with an answer is hardly found in a text without it: use
// QuestionAlone for prompts.
type Decon struct {
	Threshold     float64 // 0 is 0.8
	QuestionAlone bool    // leave answers and passages out, as decon's index_answers = false
}

const (
	deconGrams     = 5  // words of an n-gram of a question
	deconAnswer    = 3  // of an answer
	deconPassage   = 4  // of a passage
	deconMisses    = 11 // in a row that end a cluster
	deconNear      = 50 // words behind the cluster for an answer of up to three
	deconFar       = 100
	deconMinWords  = 20 // of an item
	deconMinUnique = 4
)

// Name is decon, or decon-question.
func (r Decon) Name() string {
	if r.QuestionAlone {
		return "decon-question"
	}
	return "decon"
}

// N is the length of the n-grams of questions.
func (Decon) N() int { return deconGrams }

// Judge appends the questions that were found.
func (r Decon) Judge(e *Evidence, dst []Match) []Match {
	if e.Words() < 2*deconGrams {
		return dst
	}
	for text, runs := range byText(e.Runs(deconGrams)) {
		if e.x.texts[text].part != Question {
			continue
		}
		d := deconItem{x: e.x, text: text, question: e.x.wordsOf(text)}
		if !r.QuestionAlone {
			d.others()
		}
		if d.words() < deconMinWords || different(d.question) < deconMinUnique {
			continue
		}
		best, score := deconCluster{}, -1.0
		for _, c := range d.clusters(runs) {
			if s := r.score(e, &d, c); s > score {
				best, score = c, s
			}
		}
		if score >= or(r.Threshold, 0.8) {
			m := e.scored(r, best.runs, score)
			dst = append(dst, m)
		}
	}
	return dst
}

// deconItem is an item that is looked for.
type deconItem struct {
	x                         *Index
	text                      int
	question, answer, passage []uint32
}

// others finds the answer and the passage of the item.
func (d *deconItem) others() {
	for _, p := range d.x.items[d.x.texts[d.text].item].texts {
		switch {
		case p.text < 0 || int(p.text) == d.text:
		case p.part == Answer && d.answer == nil:
			d.answer = d.x.wordsOf(int(p.text))
		case p.part == Passage:
			d.passage = d.x.wordsOf(int(p.text))
		}
	}
}

func (d *deconItem) words() int { return len(d.question) + len(d.answer) + len(d.passage) }

// deconCluster is a stretch of the scanned text that holds n-grams of a question.
type deconCluster struct {
	runs     []Run
	from, to int
}

// clusters parts the runs where eleven n-grams in a row were not found, or gave
// nothing new.
func (d *deconItem) clusters(runs []Run) (list []deconCluster) {
	seen := map[int]bool{} // n-grams of the question, by where they begin
	news := 0              // the last place that gave a new one
	for i, run := range runs {
		if i == 0 || run.At-news > deconMisses {
			list = append(list, deconCluster{runs: runs[i:i], from: run.At})
			clear(seen)
			news = run.At
		}
		c := &list[len(list)-1]
		for k := 0; k <= run.Len-deconGrams; k++ {
			if !seen[run.Pos+k] {
				seen[run.Pos+k] = true
				news = max(news, run.At+k)
			}
		}
		c.runs = c.runs[:len(c.runs)+1]
		c.to = max(c.to, run.At+run.Len)
	}
	return list
}

// score scores a cluster.
func (r Decon) score(e *Evidence, d *deconItem, c deconCluster) float64 {
	threshold := or(r.Threshold, 0.8)
	covered := make([]bool, len(d.question))
	for _, run := range c.runs {
		for k := 0; k <= run.Len-deconGrams; k++ {
			covered[run.Pos+k] = true
		}
	}
	question, grams := d.x.overlap(d.question, deconGrams, func(i int) bool { return covered[i] })
	if question < questionFloor(threshold) {
		return -1
	}
	wq, wa, wp := deconWeights(d, grams)
	score := wq * question
	if wa > 0 {
		score += wa * d.answerScore(e, c.to)
	}
	if wp > 0 {
		score += wp * d.passageScore(e, c.from)
	}
	if score < 1-1e-9 {
		score *= threshold / requiredScore(d.words(), threshold)
	}
	return score
}

// questionFloor is what the question alone must reach: with less of it, answer and
// passage cannot bring the score to the threshold.
func questionFloor(threshold float64) float64 { return min(max((threshold-0.3)/0.7, 0), 1) }

// requiredScore is what an item of so many words must reach: 1 up to 20 words,
// falling to the threshold at 50.
func requiredScore(words int, threshold float64) float64 {
	share := min(max(float64(words-deconMinWords)/30, 0), 1)
	return 1 - share*(1-threshold)
}

// deconWeights are the weights of the parts. A question of few n-grams and a short
// answer lose some of theirs to the others.
func deconWeights(d *deconItem, grams int) (question, answer, passage float64) {
	hasAnswer, hasPassage := len(d.answer) > 0, len(d.passage) > 0
	switch {
	case hasAnswer && hasPassage:
		question, answer, passage = 0.7, 0.2, 0.1
	case hasAnswer:
		question, answer = 0.75, 0.25
	case hasPassage:
		question, passage = 0.85, 0.15
	default:
		return 1, 0, 0
	}
	lost := 0.0
	if grams < 20 {
		lost = question * (0.5 - 0.5*float64(grams)/20)
	}
	question -= lost
	switch {
	case hasAnswer && hasPassage:
		answer, passage = answer+lost/2, passage+lost/2
	case hasAnswer:
		answer += lost
	default:
		passage += lost
	}
	if hasAnswer && len(d.answer) < 4 {
		lost = answer * (0.5 - 0.5*float64(len(d.answer))/4)
		answer -= lost
		if hasPassage {
			passage += lost
		} else {
			question += lost
		}
	}
	return question, answer, passage
}

// answerScore is how much of the answer stands behind the cluster: all or nothing
// of a short one, else the weight of its n-grams.
func (d *deconItem) answerScore(e *Evidence, from int) float64 {
	n := len(d.answer)
	if n <= deconAnswer {
		behind := e.ids[from:min(from+deconNear, len(e.ids))]
		for i := 0; i+n <= len(behind); i++ {
			if slices.Equal(behind[i:i+n], d.answer) {
				return 1
			}
		}
		return 0
	}
	return d.x.share(d.answer, deconAnswer, e.ids[from:min(from+max(deconFar, 2*n), len(e.ids))])
}

// passageScore is how much of the passage stands before the cluster.
func (d *deconItem) passageScore(e *Evidence, to int) float64 {
	return d.x.share(d.passage, deconPassage, e.ids[max(to-max(deconFar, 2*len(d.passage)), 0):to])
}

// share is the weight of the n-grams of an item's text that stand among words.
func (x *Index) share(item []uint32, n int, words []uint32) float64 {
	there := map[[deconPassage]uint32]bool{}
	gram := func(words []uint32) (key [deconPassage]uint32) {
		copy(key[:], words[:n])
		return key
	}
	for i := 0; i+n <= len(words); i++ {
		there[gram(words[i:])] = true
	}
	share, _ := x.overlap(item, n, func(i int) bool { return there[gram(item[i:])] })
	return share
}

func different(words []uint32) int {
	sorted := slices.Clone(words)
	slices.Sort(sorted)
	return len(slices.Compact(sorted))
}
