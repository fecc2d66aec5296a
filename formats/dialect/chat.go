package dialect

import "github.com/rollmill/rollmill/formats/rollout"

// chat reads a bare list of chat messages as one row: the files of older
// mini-swe-agent, and JSON Lines with a conversation a line.
type chat struct{}

func (chat) Name() string { return "chat" }

func (chat) fits(o outline) bool { return isMessage(outlineOf(first(o.json))) }

func (chat) Rows(dst []rollout.Row, rec Record) ([]rollout.Row, error) {
	rec.JSON = trimmed(rec.JSON)
	if !isKind(rec.JSON, '[') {
		return dst, notObject(rec.JSON, wantMessages)
	}
	t, err := readTranscript("messages", rec.JSON)
	if err != nil {
		return dst, err
	}
	var d draft
	d.talk(t)
	return append(dst, d.done(rec.Pos, 0)), nil
}
