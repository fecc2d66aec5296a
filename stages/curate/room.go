package curate

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rollmill/rollmill/formats/files"
	"github.com/rollmill/rollmill/formats/report"
)

// ShortOfRoom says that a file system may be too small for what is to be written. It
// is an estimate, made of the sizes of the inputs.
type ShortOfRoom struct {
	Folder string
	Free   int64 // bytes
	Want   int64
}

func (s ShortOfRoom) String() string {
	return fmt.Sprintf("%s has %s free, and about %s may be needed", s.Folder, megabytes(s.Free), megabytes(s.Want))
}

func megabytes(n int64) string { return report.Grouped(max(n>>20, 1)) + " MiB" }

// How many times larger the text of rows is than an input.
const (
	packedFactor   = 5 // of .gz and .zst
	columnarFactor = 3 // of Parquet and Arrow
)

// textSize is about how large the rows of the inputs are as plain text. What is no
// file counts nothing.
func textSize(inputs []Input) (size int64) {
	for _, in := range inputs {
		info, err := os.Stat(in.path())
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		factor := int64(1)
		switch ext := filepath.Ext(in.Name); {
		case files.CompressionOf(in.Name) != files.Plain:
			factor = packedFactor
		case ext == ".parquet", ext == ".arrow", ext == ".arrows":
			factor = columnarFactor
		}
		size += factor * info.Size()
	}
	return size
}

// checkRoom tells where room may run out. The spool takes about half of the text,
// rows.arrow as much; the kept rows as text stand beside the spool, and packed in the
// training file.
func (l *line) checkRoom() {
	text := textSize(l.Inputs)
	spool, out := max(text*3/2-l.spool.bytes, 0), text
	spooled, one, ok := freeBytes(l.spool.dir)
	free, other, fine := freeBytes(l.Out)
	if !ok || !fine {
		return
	}
	if one == other {
		spool, out = 0, out+spool
	} else if spooled < spool {
		l.told(ShortOfRoom{l.spool.dir, spooled, spool})
	}
	if free < out {
		l.told(ShortOfRoom{l.Out, free, out})
	}
}
