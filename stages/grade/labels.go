package grade

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stats"
)

// LabelFields are the fields of a row that AttachLabels reads.
const LabelFields = rollout.FieldID | rollout.FieldTaskID | rollout.FieldIndex | rollout.FieldPrompt |
	rollout.FieldFinalText | rollout.FieldExtra

// LabelError says which label cannot be read.
type LabelError struct {
	Record int // number of the record, from 1
	Detail string
}

// Error says which, what was found and what is wanted.
func (e *LabelError) Error() string { return fmt.Sprintf("grade: label %d: %s", e.Record, e.Detail) }

// maxLabel is the largest record of a label: 16 MiB.
const maxLabel = 16 << 20

// ReadLabels reads labels (spec of statistics, section 9.2): JSON Lines of
// objects {key, label, annotator, kind, ts, note}, or one object that maps keys
// to labels. A record without a key is joined by rollout_id, by scenario_id and
// rollout_index, or by prompt and final_text. The label is that of label, else
// reward, else gold_reward; one that is neither 0 nor 1 is read as no label, and
// counted as invalid where labels are attached.
func ReadLabels(from io.Reader) ([]stats.KeyedLabel, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, fmt.Errorf("grade: read labels: %w", err)
	}
	if labels, ok := labelMap(string(bytes.TrimSpace(text))); ok {
		return labels, nil
	}
	var labels []stats.KeyedLabel
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxLabel)
	record := 0
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		record++
		l, err := readLabel(line)
		if err != nil {
			return nil, &LabelError{record, err.Error()}
		}
		labels = append(labels, l)
	}
	if err := lines.Err(); err != nil {
		return nil, &LabelError{record + 1, err.Error()}
	}
	return labels, nil
}

// labelMap reads an object that maps keys to labels: its members are all scalars
// and none is called like the member of a record.
func labelMap(text string) (labels []stats.KeyedLabel, ok bool) {
	if !rollout.IsJSON(text) || text[0] != '{' {
		return nil, false
	}
	for name, value := range rollout.MembersOf(text) {
		switch k := valueOf(value).Kind(); {
		case k == rollout.KindObject || k == rollout.KindArray, name == "label", name == "reward", name == "gold_reward":
			return nil, false
		}
		labels = append(labels, stats.KeyedLabel{Key: name, GoldLabel: stats.GoldLabel{Label: labelOf(valueOf(value))}})
	}
	return labels, labels != nil
}

func readLabel(line []byte) (l stats.KeyedLabel, err error) {
	var row rollout.Row
	if err := rollout.NewDecoder(LabelFields).Decode(bytes.Clone(line), &row); err != nil {
		return l, err
	}
	text := string(line)
	l.Key = rollout.ScalarText(rollout.MemberOf(text, "key"))
	if l.Key == "" {
		l.Key = row.RowKey()
	}
	for _, name := range []string{"label", "reward", "gold_reward"} {
		if v := rollout.MemberOf(text, name); v != "" && v != "null" {
			l.GoldLabel = readGoldLabel(text, v)
			return l, nil
		}
	}
	l.GoldLabel = readGoldLabel(text, "")
	return l, nil
}

// readGoldLabel reads the members of a label; value is that of the label itself.
func readGoldLabel(text, value string) stats.GoldLabel {
	of := func(name string) string { return rollout.ScalarText(rollout.MemberOf(text, name)) }
	return stats.GoldLabel{Label: labelOf(valueOf(value)), Annotator: of("annotator"), Kind: of("kind"), TS: of("ts"), Note: of("note")}
}

// labelOf reads a number that is exactly 1 or 0 (reader C).
func labelOf(v rollout.Value) stats.Label {
	switch pass, ok := v.StrictBinary(); {
	case !ok:
		return stats.NoLabel
	case pass:
		return stats.Pass
	}
	return stats.Fail
}

// AttachLabels joins labels to rows by every identity that a row has, and writes
// gold_labels, gold_reward and gold_kind of the rows that it touches: the
// majority of all labels of a row, on a tie none (spec of statistics, section
// 9.2). Rows that were made from batches of a stream may come batch by batch;
// what becomes of a row depends on its own labels, and the report is of the rows
// at hand. The rows need [LabelFields].
func AttachLabels(rows []rollout.Row, labels []stats.KeyedLabel, o stats.AttachOptions) (*stats.AttachReport, error) {
	targets := make([]stats.LabelTarget, len(rows))
	for i := range rows {
		targets[i] = stats.LabelTarget{Keys: rowKeys(&rows[i]), Labels: goldLabels(&rows[i])}
	}
	attached, report, err := stats.AttachLabels(targets, labels, o)
	if err != nil {
		return nil, fmt.Errorf("grade: attach labels: %w", err)
	}
	for i := range attached {
		writeGold(&rows[attached[i].Row], &attached[i])
	}
	return report, nil
}

// rowKeys are the identities of a row: its key, and the weaker ones beside it.
func rowKeys(row *rollout.Row) []string {
	keys := []string{row.RowKey()}
	without := rollout.Row{TaskID: row.TaskID, Index: row.Index, Prompt: row.Prompt, FinalText: row.FinalText}
	keys = append(keys, without.RowKey())
	without.TaskID = ""
	keys = append(keys, without.RowKey())
	without.FinalText = ""
	return append(keys, without.RowKey())
}

// goldLabels are the labels that a row carries.
func goldLabels(row *rollout.Row) (labels []stats.GoldLabel) {
	for text := range rollout.ElementsOf(extraOf(row, "gold_labels")) {
		labels = append(labels, readGoldLabel(text, rollout.MemberOf(text, "label")))
	}
	return labels
}

func writeGold(row *rollout.Row, a *stats.Attached) {
	list := []byte{'['}
	for i, l := range a.Labels {
		if i > 0 {
			list = append(list, ',')
		}
		list = appendMember(append(list, '{'), rollout.Member{Name: "label", JSON: labelJSON(l.Label)})
		for _, m := range []struct{ name, text string }{{"annotator", l.Annotator}, {"kind", l.Kind}, {"ts", l.TS}, {"note", l.Note}} {
			if m.text != "" {
				list = appendMember(list, rollout.Member{Name: m.name, JSON: quoted(m.text)})
			}
		}
		list = append(list, '}')
	}
	members := []rollout.Member{{Name: "gold_labels", JSON: string(append(list, ']'))}}
	kind := "null"
	if a.Kind.Valid {
		kind = quoted(a.Kind.V)
	}
	if gold := labelJSON(a.Gold); gold != "null" || extraOf(row, "gold_reward") != "" {
		members = append(members, rollout.Member{Name: "gold_reward", JSON: gold}, rollout.Member{Name: "gold_kind", JSON: kind})
	}
	row.SetMembers(members)
}

func labelJSON(l stats.Label) string {
	switch l {
	case stats.Pass:
		return "1"
	case stats.Fail:
		return "0"
	}
	return "null"
}
