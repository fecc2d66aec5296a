//go:build linux || darwin

package sandbox

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A helper is this very binary, started under helperName with the name of its
// part. It reads an order on descriptor 3 and reports on descriptor 4.
const (
	helperName = "rollmill-sandbox"

	partSupervise = "supervise" // Full: builds the namespaces' inside, starts the next, waits
	partConfine   = "confine"   // gives itself limits, gives up its rights, becomes the command

	orderFD  = 3
	reportFD = 4
)

// order is what a helper is to do.
type order struct {
	Command Command
	Limits  Limits
	Level   Level
	// Probe asks for all but the command: everything is set up, then given up.
	Probe bool
	// UID is who the command runs as inside; 0 stands for whoever is mapped there.
	UID int
	// OutsideUID and OutsideGID are who the caller is.
	OutsideUID, OutsideGID int
}

// report is how a supervised command ended.
type report struct {
	Started bool   `json:"-"` // the command ran; told by a line before the report
	Failed  string // why it could not be started; nothing else is set then
	Probed  bool   // a probe came to its end; nothing else is set then
	Exit    int
	Signal  string
	CPU     int64 // nanoseconds
	Wall    bool  // the wall time was over
	Crowd   bool  // as many processes as allowed were seen at once
}

// installed is set by Main.
var installed bool

// Main serves as the helper process when the program was started as one, and
// then does not return. Otherwise it returns at once. Call it first in main,
// and in TestMain of tests that use the package.
func Main() {
	installed = true
	if os.Args[0] != helperName || len(os.Args) != 2 {
		return
	}
	os.Exit(serve(os.Args[1]))
}

// serve plays a part of the helper and returns its exit code.
func serve(part string) int {
	orders, reports := os.NewFile(orderFD, "orders"), os.NewFile(reportFD, "reports")
	// Where memory runs out, this goes before the caller and all else does.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	o, err := readOrder(orders)
	if err == nil {
		switch part {
		case partSupervise:
			err = supervise(o, orders, reports)
		case partConfine:
			err = confine(o)
		default:
			err = fmt.Errorf("no part %q", part)
		}
	}
	switch {
	case errors.Is(err, errProbed):
		writeReport(reports, report{Probed: true})
	case err != nil:
		writeReport(reports, report{Failed: err.Error()})
		return 1
	}
	return 0
}

// readOrder reads an order behind its length. What follows on the descriptor
// is only its end, when the caller is gone.
func readOrder(r io.Reader) (order, error) {
	var o order
	var size [8]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return o, fmt.Errorf("reading the order: %w", err)
	}
	text := make([]byte, binary.LittleEndian.Uint64(size[:]))
	if _, err := io.ReadFull(r, text); err != nil {
		return o, fmt.Errorf("reading the order: %w", err)
	}
	if err := json.Unmarshal(text, &o); err != nil {
		return o, fmt.Errorf("reading the order: %w", err)
	}
	return o, nil
}

// writeOrder writes what readOrder reads.
func writeOrder(w io.Writer, o order) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...))
	return err
}

// maxReport bounds a report to what a pipe takes without a reader.
const maxReport = 2048

// writeReport writes a report. Whoever reads sees a broken one as none.
func writeReport(w io.Writer, r report) {
	r.Failed = r.Failed[:min(len(r.Failed), maxReport/2)]
	text, err := json.Marshal(r)
	if err == nil {
		_, _ = w.Write(text)
	}
}

// errNoReport is returned for a helper that ended without a report.
var errNoReport = errors.New("no report")

// writeStarted says that the command runs. The report stands behind it.
func writeStarted(w io.Writer) { _, _ = w.Write([]byte{'\n'}) }

// refusedMark stands before the number of the error for which the system did
// not execute the command, in two bytes. It is a report that can be made when
// no memory is left.
const refusedMark = '!'

// readReport reads a report on an order up to the end of its pipe. With
// errNoReport it tells whether the command was started.
func readReport(r io.Reader, o order) (report, error) {
	var out report
	text, err := io.ReadAll(io.LimitReader(r, maxReport))
	if err != nil {
		return out, err
	}
	out.Started = len(text) > 0 && text[0] == '\n'
	if len(text) == 3 && text[0] == refusedMark {
		out.Failed = refusal(o, unix.Errno(binary.LittleEndian.Uint16(text[1:]))).Error()
		return out, nil
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return out, errNoReport
	}
	err = json.Unmarshal(text, &out)
	return out, err
}
