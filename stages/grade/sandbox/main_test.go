package sandbox_test

import (
	"os"
	"testing"

	"github.com/rollmill/rollmill/stages/grade/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}
