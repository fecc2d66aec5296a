package selection

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/rollmill/rollmill/formats/rollout"
)

// Student says whose pass rate a calibration is.
type Student struct {
	Name       string
	Model      string
	PromptHash string // see PolicyHash
	Version    string // default: the policy_version of the row, else its model_version
}

// PolicyHash is the hash of a system prompt: the first 16 hexadecimal digits of
// its SHA-256.
func PolicyHash(policy string) string {
	if policy == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(policy))
	return hex.EncodeToString(sum[:])[:16]
}

func (s Student) json(r *rollout.Row) string {
	version := s.Version
	if version == "" {
		version = textOf(member(r, "policy_version"))
	}
	if version == "" {
		version = textOf(member(r, "model_version"))
	}
	var o object
	o.setText("name", s.Name)
	o.setText("model", s.Model)
	o.setText("prompt_hash", s.PromptHash)
	o.setKnown("version", version)
	return o.json()
}

// stamp writes the difficulty of its task on a row (spec of gates, section 5.3).
func stamp(r *rollout.Row, of score, student Student) {
	d := difficultyOf(of)
	var o object
	o.setText("task_id", r.TaskKey())
	o.set("student", student.json(r))
	o.set("n", strconv.Itoa(d.N))
	o.set("pass_rate", floatJSON(d.PassRate))
	o.set("mean_kl", "null")
	o.set("pass_rate_ci95", "["+floatJSON(d.CI95.V.Low)+","+floatJSON(d.CI95.V.High)+"]")
	r.SetExtra("calibration", o.json())
}

// Calibration says which rows were stamped with the difficulty of their task.
type Calibration struct {
	Tasks     int     `json:"n_tasks"` // with a verdict
	Rows      int     `json:"n_rows"`
	Stamped   int     `json:"n_stamped"`
	Carried   int     `json:"n_carried"`   // of them, those that kept a stamp which rests on more verdicts
	Unstamped int     `json:"n_unstamped"` // rows without a verdict
	PassAt    Signal  `json:"pass_at"`
	Student   Student `json:"-"`
}

// Calibrate stamps every row that has a verdict with how often its task passes
// among these rows (spec of gates, section 6). A row whose stamp rests on more
// verdicts keeps it, under the name of this student.
func Calibrate(rows []rollout.Row, student Student) Calibration {
	rates := RatesOf(rows)
	c := Calibration{Rows: len(rows), PassAt: rates.Signal(Band{}), Student: student}
	c.Tasks = c.PassAt.Tasks
	for i := range rows {
		r := &rows[i]
		if _, ok := r.BinaryOrPriorReward(); !ok {
			c.Unstamped++
			continue
		}
		c.Stamped++
		n, _ := rates.keys.find(rates.digest.of(r.TaskKey(), ""))
		s := rates.list.at(int(n)).score
		carried := member(r, "calibration")
		if had, ok := numberOf(memberOf(carried, "n")); ok && had > float64(s.n) {
			c.Carried++
			o := newObject()
			for m := range membersOf(carried) {
				o.set(m.Name, m.JSON)
			}
			o.set("student", student.json(r))
			r.SetExtra("calibration", o.json())
			continue
		}
		stamp(r, s, student)
	}
	return c
}
