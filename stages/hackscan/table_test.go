package hackscan

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollmill/rollmill/formats/rollout"
	"github.com/rollmill/rollmill/formats/rollout/behaviour"
	"github.com/rollmill/rollmill/formats/rollout/conduct"
)

// The labelled trajectories of rewardhackwatch have no rewards, so there is no
// correlation to scan; what can be tried on them are the flags and exploits. The
// table of the package's page is this one.
func TestLabelledTrajectories(t *testing.T) {
	dir := os.Getenv("ROLLMILL_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "rewardhackwatch", "_all_trajectories.json"))
	if os.IsNotExist(err) {
		t.Skipf("the data is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Category   string
		Hack       bool `json:"expected_hack"`
		Trajectory struct {
			Task     string
			Thoughts []string `json:"cot_traces"`
			Code     []string `json:"code_outputs"`
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	found, all := map[string]int{}, map[string]int{}
	fired := map[string]map[string]int{}
	for _, x := range list {
		if x.Hack != (x.Category != "clean") {
			t.Fatalf("category %s is a hack: %v", x.Category, x.Hack)
		}
		names := suspicions(t, x.Trajectory.Task, x.Trajectory.Code, x.Trajectory.Thoughts)
		all[x.Category]++
		if len(names) > 0 {
			found[x.Category]++
		}
		for _, name := range names {
			if fired[x.Category] == nil {
				fired[x.Category] = map[string]int{}
			}
			fired[x.Category][name]++
		}
	}
	var table strings.Builder
	for _, category := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&table, "%-21s%2d of %2d", category, found[category], all[category])
		for _, name := range slices.Sorted(maps.Keys(fired[category])) {
			fmt.Fprintf(&table, "  %s %d", name, fired[category][name])
		}
		table.WriteByte('\n')
	}
	t.Logf("\n%s", table.String())
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(table.String()) {
		if !strings.Contains(string(page), "//\t"+line) {
			t.Errorf("the package's page does not say %q", line)
		}
	}
}

// suspicions are the flags and exploits of a trajectory that writes code and
// ends with its last thought.
func suspicions(t *testing.T, task string, code, thoughts []string) (names []string) {
	t.Helper()
	type step struct {
		Tool      string            `json:"tool"`
		Arguments map[string]string `json:"arguments"`
		Result    string            `json:"result"`
	}
	record := map[string]any{"prompt": task, "final_text": ""}
	var steps []step
	for _, c := range code {
		steps = append(steps, step{"write_file", map[string]string{"path": "solution.py", "content": c}, "written"})
	}
	record["steps"] = steps
	if n := len(thoughts); n > 0 {
		record["final_text"] = thoughts[n-1]
	}
	raw, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var row rollout.Row
	if err := rollout.NewDecoder(rollout.AllFields).Decode(raw, &row); err != nil {
		t.Fatal(err)
	}
	var reader behaviour.Reader
	var flags conduct.Scanner
	reader.Read(&row)
	for _, flag := range flags.Scan(&reader).Fired() {
		names = append(names, flag.String())
	}
	var exploits Exploits
	for i := range reader.Acts() {
		exploits |= InAct(&reader.Acts()[i])
	}
	for _, e := range exploits.All() {
		names = append(names, e.String())
	}
	return names
}
