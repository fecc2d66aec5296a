package simulate

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/zeebo/xxh3"

	"github.com/rollmill/rollmill/formats/rollout"
)

// sameRun says what differs between the arguments in a heading and others.
func sameRun(line, arguments []byte) error {
	var h heading
	if err := json.Unmarshal(line, &h); err != nil || h.Journal != journalName {
		return errors.New("it is no checkpoint of a simulation; choose another name")
	}
	if h.Version != journalVersion {
		return fmt.Errorf("it is of version %d; want %d", h.Version, journalVersion)
	}
	was, is := map[string]jsontext.Value{}, map[string]jsontext.Value{}
	if err := errors.Join(json.Unmarshal(h.Arguments, &was), json.Unmarshal(arguments, &is)); err != nil {
		return err
	}
	for name, value := range rollout.MembersOf(string(arguments)) {
		if string(was[name]) != value {
			return fmt.Errorf("it was made with another %s: %s, now %s; use another file, or the arguments of then",
				name, short(string(was[name])), short(value))
		}
	}
	if len(was) != len(is) {
		return errors.New("it was made with other arguments; use another file")
	}
	return nil
}

// short is a value as an error shows it.
func short(text string) string {
	if len(text) > 60 {
		return text[:60] + "..."
	}
	if text == "" {
		return "none"
	}
	return text
}

// argumentsOf returns what a journal must have been made with, as JSON.
func argumentsOf(p *plan) []byte {
	var o rollout.Object
	for _, m := range []struct{ name, text string }{
		{"mode", string(p.Mode)}, {"schedule", string(p.Schedule)}, {"until", string(p.Until)}, {"policy", string(p.RepeatPolicy)},
		{"agent", p.Agent.Name()}, {"system", p.System}, {"tools", p.schemas}, {"user", userName(p.User)},
	} {
		o.Text(m.name, m.text)
	}
	for _, m := range []struct {
		name string
		n    int
	}{
		{"situations", p.Situations}, {"phrasings", p.Phrasings}, {"repeats", p.Repeats}, {"probe", p.Probe}, {"budget", p.Budget},
		{"runs", p.Runs}, {"seed", int(p.Seed)}, {"max-turns", p.MaxTurns}, {"per-round", p.PerRound}, {"dead-after", p.DeadAfter},
	} {
		o.Raw(m.name, strconv.Itoa(m.n))
	}
	for _, m := range []struct {
		name string
		f    float64
	}{
		{"fault-rate", p.FaultRate.V}, {"hard-share", p.HardShare.V}, {"open-ended", p.OpenEnded.V}, {"exists-share", p.World.ExistsShare},
		{"hits", float64(p.World.Hits)},
	} {
		o.Raw(m.name, rollout.Number(m.f).Text)
	}
	o.Text("stale-as-of", p.World.StaleAsOf)
	o.Raw("graded", truth(p.Grade != nil))
	var cells bytes.Buffer
	for _, c := range p.cells {
		cells.WriteString(c.id)
	}
	o.Text("situation-ids", formatKey(xxh3.Hash128(cells.Bytes())))
	return []byte(o.String())
}

func userName(u User) string {
	if u == nil {
		return ""
	}
	return u.Name()
}
