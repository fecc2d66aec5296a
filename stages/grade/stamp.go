package grade

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/rollmill/rollmill/formats/rollout"
)

// stamp writes results to rows.
type stamp struct {
	name   string
	marker string // write the reward to this marker and nothing else
	source string
	runID  string
	meta   []rollout.Member // that every row gets in judge_meta, behind the evidence
	line   []rollout.Member // that every row gets in lineage
	fixed  string           // judge_meta of a row without evidence
	tail   string           // line as JSON, up to the value of parent
}

func newStamp(info Info, s *settings) *stamp {
	st := &stamp{name: info.Name, marker: s.marker, source: s.source, runID: s.runID}
	if st.runID == "" {
		st.runID = derivedRunID(info, s.source)
	}
	if info.Kind == Rule {
		st.meta = setMeta(st.meta, "verifier", quoted(info.Name))
	}
	if info.Version != "" {
		st.meta = setMeta(st.meta, "version", quoted(info.Version))
	}
	if info.Kind != "" && info.Kind != Judge {
		st.meta = setMeta(st.meta, "scorer_kind", quoted(string(info.Kind)))
	}
	st.fixed = string(st.appendMeta(nil, nil))

	st.line = setMeta(st.line, "scoring_run_id", quoted(st.runID))
	st.line = setMeta(st.line, "source", quoted(st.source))
	st.line = setMeta(st.line, "judge", quoted(info.Name))
	if info.Model != "" {
		st.line = setMeta(st.line, "model", quoted(info.Model))
	}
	if info.Version != "" {
		st.line = setMeta(st.line, "judge_version", quoted(info.Version))
	}
	text := []byte{'{'}
	for _, m := range st.line {
		text = appendMember(text, m)
	}
	st.tail = string(text[1:]) + `,"parent":`
	return st
}

// derivedRunID names a grading by what does it.
func derivedRunID(info Info, source string) string {
	sum := sha256.Sum256([]byte(info.Name + "\x00" + info.Version + "\x00" + string(info.Kind) + "\x00" + source))
	return "score_" + hex.EncodeToString(sum[:6])
}

// rows writes results[i] to rows[i]. The texts that it makes for one batch are
// one allocation, and so are the lists of members.
func (st *stamp) rows(rows []rollout.Row, results []Result) {
	if st.marker != "" {
		for i := range rows {
			if r := &results[i]; r.OK() {
				rows[i].SetMarker(st.marker, rollout.Number(r.Reward))
			}
		}
		return
	}
	type texts struct {
		meta, lineage, end int // ends in buf
		class              bool
	}
	buf := make([]byte, 0, len(rows)*(len(st.tail)+len(`{"":""}`)+32)) // a task's name is shorter, mostly
	spans := make([]texts, len(rows))
	members := 0
	for i := range rows {
		t := &spans[i]
		t.meta = len(buf)
		if len(results[i].Meta) > 0 {
			buf = st.appendMeta(buf, results[i].Meta)
		}
		t.lineage = len(buf)
		buf = st.appendLineage(buf, &rows[i])
		t.end = len(buf)
		t.class = results[i].Class != "" || extraOf(&rows[i], "failure_class") != ""
		if members += 2; t.class {
			members++
		}
	}
	text := string(buf)
	slab := make([]rollout.Member, 0, members)
	for i := range rows {
		t, from := &spans[i], len(slab)
		meta := st.fixed
		if t.lineage > t.meta {
			meta = text[t.meta:t.lineage]
		}
		slab = append(slab, rollout.Member{Name: "judge_meta", JSON: meta}, rollout.Member{Name: "lineage", JSON: text[t.lineage:t.end]})
		if t.class {
			slab = append(slab, rollout.Member{Name: "failure_class", JSON: classJSON(results[i].Class)})
		}
		st.row(&rows[i], &results[i])
		rows[i].SetMembers(slab[from:len(slab):len(slab)])
	}
}

// classJSON is a failure class as JSON; that of an earlier verdict is taken back
// by a null.
func classJSON(class string) string {
	if class == "" {
		return "null"
	}
	return quoted(class)
}

// row writes the fields of a row that have columns.
func (st *stamp) row(row *rollout.Row, r *Result) {
	reward := rollout.Value{Text: "null"}
	if r.OK() {
		reward = rollout.Number(r.Reward)
	}
	row.SetReward(reward, r.Status)
	row.Judge, row.Reason = st.name, r.Reason
	row.Touch(rollout.FieldJudge | rollout.FieldReason)
	if r.Reason == "" {
		row.Clear(rollout.FieldReason)
	}
	for _, m := range r.Markers {
		row.SetMarker(m.Name, m.Value)
	}
}

// appendMeta appends the evidence and what every row gets, as a JSON object.
// What every row gets wins.
func (st *stamp) appendMeta(dst []byte, evidence []rollout.Member) []byte {
	dst = append(dst, '{')
	for _, m := range evidence {
		if !named(st.meta, m.Name) {
			dst = appendMember(dst, m)
		}
	}
	for _, m := range st.meta {
		dst = appendMember(dst, m)
	}
	return append(dst, '}')
}

// appendLineage appends the lineage of a row: what it had, and this grading.
func (st *stamp) appendLineage(dst []byte, row *rollout.Row) []byte {
	dst = append(dst, '{')
	prior := ""
	for name, value := range rollout.MembersOf(extraOf(row, "lineage")) {
		switch {
		case name == "scoring_run_id":
			prior = value
		case name == "parent" || name == "prior_scoring_run_id" || named(st.line, name):
		default:
			dst = appendMember(dst, rollout.Member{Name: name, JSON: value})
		}
	}
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(dst, st.tail...)
	switch {
	case row.TaskID != "":
		dst = rollout.AppendText(dst, row.TaskID)
	case row.ID != "":
		dst = rollout.AppendText(dst, row.ID)
	default:
		dst = append(strconv.AppendInt(append(dst, `"row_`...), row.Pos.Record, 10), '"')
	}
	if prior != "" {
		dst = appendMember(dst, rollout.Member{Name: "prior_scoring_run_id", JSON: prior})
	}
	return append(dst, '}')
}

func appendMember(dst []byte, m rollout.Member) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(rollout.AppendText(dst, m.Name), ':')
	return append(dst, m.JSON...)
}

func named(members []rollout.Member, name string) bool {
	for i := range members {
		if members[i].Name == name {
			return true
		}
	}
	return false
}

// extraOf is the JSON text of a member of a row that is no field, "" for none.
func extraOf(row *rollout.Row, name string) string {
	for i := range row.Extra {
		if row.Extra[i].Name == name {
			return row.Extra[i].JSON
		}
	}
	return ""
}
