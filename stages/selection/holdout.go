package selection

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/rollmill/rollmill/formats/rollout"
)

// held draws whether the task of a row is held out: by its key alone, so that
// the split is stable as rows are added (spec of rows, section 6: the first 32
// bits of the SHA-256 of the key, as a share). A seed other than 0 stands before
// the key. A row that names no task is one of its own.
func held(o Options, key string, at rollout.Pos) bool {
	if o.Holdout == 0 {
		return false
	}
	if key == "" {
		key = "\x00" + at.String()
	}
	if o.HoldoutSeed != 0 {
		key = strconv.FormatInt(o.HoldoutSeed, 10) + ":" + key
	}
	sum := sha256.Sum256([]byte(key))
	return float64(binary.BigEndian.Uint32(sum[:4]))/math.MaxUint32 < o.Holdout
}
