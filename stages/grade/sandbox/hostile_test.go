package sandbox_test

import (
	"encoding/json"
	"os/exec"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/conc/iter"

	"github.com/rollmill/rollmill/stages/grade/sandbox"
)

// installed returns where Python's program and its libraries lie.
var installed = sync.OnceValues(func() (where [2]string, err error) {
	text, err := exec.Command("python3", "-c", "import sys, json; print(json.dumps([sys.executable, sys.base_prefix]))").Output()
	if err == nil {
		err = json.Unmarshal(text, &where)
	}
	return where, err
})

// python returns a command that runs a program by the machine's Python, or
// skips where there is none.
func python(t testing.TB, program string) sandbox.Command {
	t.Helper()
	where, err := installed()
	if err != nil {
		t.Skip("no python3: ", err)
	}
	return sandbox.Command{
		Path: where[0], Args: []string{"-I", "main.py"}, Readable: []string{where[1]},
		Files: []sandbox.File{{Name: "main.py", Data: []byte(program)}},
	}
}

// hostile are programs that do harm where they can, and how their runs end.
var hostile = []struct {
	name, program string
	want          sandbox.Limit
}{
	{"an endless loop", "while True: pass", sandbox.LimitWall},
	{"a fork bomb", "import os\nwhile True: os.fork()", sandbox.LimitProcesses},
	{"a fork bomb that swallows its errors", "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", sandbox.LimitProcesses},
	{"threads without end", "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,)).start()", sandbox.LimitProcesses},
	{"10 GB of memory", "x = bytearray(10 << 30)", sandbox.LimitMemory},
	{"1 GB of output", "for _ in range(1 << 10): print('x' * (1 << 20))", sandbox.LimitOutput},
	{"a file outside its folder", "open('/usr/lib/x', 'w')", sandbox.LimitReadOnly},
	{"a large file", "open('x', 'wb').write(bytes(1 << 26))", sandbox.LimitFileSize},
	{"many files", "for i in range(1 << 20): open(str(i), 'w').write('x' * 4096)", sandbox.LimitFileSize},
	{"a socket", "import socket\nsocket.socket()", sandbox.LimitNetwork},
	{"a name on the network", "import urllib.request\nurllib.request.urlopen('http://127.0.0.1/')", sandbox.LimitNetwork},
}

func hostileLimits() sandbox.Limits {
	limits := sandbox.DefaultLimits()
	limits.Wall, limits.FileSize = 4*time.Second, 8<<20
	return limits
}

func TestHostile(t *testing.T) {
	b := box(t, sandbox.Full, hostileLimits())
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, b, python(t, c.program))
			if r.Limit != c.want || r.OK() {
				t.Errorf("exit %d, signal %q, limit %q, stderr %s; want the limit %q", r.Exit, r.Signal, r.Limit, r.Stderr, c.want)
			}
		})
	}
}

func TestKillingWhoWatches(t *testing.T) {
	b := box(t, sandbox.Full, hostileLimits())
	r := run(t, b, python(t, "import os, signal\nfor p in (os.getppid(), 1, -1):\n  for s in (signal.SIGTERM, signal.SIGKILL):\n    try: os.kill(p, s)\n    except OSError: pass\nprint('here')"))
	// Whoever is root may run commands as another user, who cannot reach the
	// supervisor. For others the kernel keeps the first process of a namespace
	// from all but what it asked for.
	if r.Limit != "" && r.Limit != sandbox.LimitLost {
		t.Errorf("%+v, stderr %s", r, r.Stderr)
	}
}

func TestFiftyAtOnce(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	if testing.Short() {
		t.Skip("takes tens of seconds")
	}
	limits := hostileLimits()
	limits.Wall = 20 * time.Second // the machine is shared by fifty
	b := box(t, sandbox.Full, limits)
	command := python(t, "")
	mapper := iter.Mapper[int, sandbox.Result]{MaxGoroutines: 50}
	numbers := make([]int, 50)
	for i := range numbers {
		numbers[i] = i
	}
	got, err := mapper.MapErr(numbers, func(i *int) (sandbox.Result, error) {
		c := command
		c.Args = append([]string{"-X", "mark=98763"}, c.Args...)
		c.Files = []sandbox.File{{Name: "main.py", Data: []byte(hostile[*i%len(hostile)].program)}}
		return b.Run(t.Context(), c)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got {
		want := hostile[i%len(hostile)]
		if r.Limit != want.want && r.Limit != sandbox.LimitWall { // a crowded machine may be slow
			t.Errorf("%d, %s: %+v, stderr %s; want the limit %q", i, want.name, r, r.Stderr, want.want)
		}
	}
	if n := survivors(t, "98763"); n != 0 {
		t.Errorf("%d processes are left", n)
	}
}
