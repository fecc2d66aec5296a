package verify_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/stages/grade"
	"github.com/rollmill/rollmill/stages/grade/verify"
)

// decode makes a row of JSON text.
func decode(t testing.TB, text string) *rollout.Row {
	t.Helper()
	var row rollout.Row
	if err := rollout.NewDecoder(rollout.AllFields).Decode([]byte(text), &row); err != nil {
		t.Fatal(err)
	}
	return &row
}

// row makes a row with an answer and a private reference, which is JSON.
func row(t testing.TB, answer, reference string) *rollout.Row {
	t.Helper()
	text, err := json.Marshal(map[string]any{"final_text": answer, "privileged": map[string]any{"reference": json.RawMessage(reference)}})
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, string(text))
}

// verdict is what a verifier says of a row, in short: the reward, or the status,
// and the reason.
func verdict(t testing.TB, g grade.Grader, row *rollout.Row) string {
	t.Helper()
	r, err := g.Grade(t.Context(), row)
	switch {
	case err != nil:
		return "error: " + err.Error()
	case !r.OK():
		return r.Status.String() + ": " + r.Reason
	}
	return rollout.Number(r.Reward).Text + ": " + r.Reason
}

func field(t testing.TB, name string) verify.Field {
	t.Helper()
	f, err := verify.ParseField(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// data is a file of other people's records, or skips the test.
func data(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("ROLLMILL_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the data of others is not here: %v", err)
	}
	return path
}
