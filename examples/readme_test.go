package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/examples"
)

// TestReadmeNamesAll checks that README.md lists each example with its description.
func TestReadmeNamesAll(t *testing.T) {
	t.Parallel()
	text := string(read(t, "README.md"))
	for _, name := range examples.Names() {
		hook, _ := examples.Find(name)
		about := strings.ReplaceAll(strings.TrimSuffix(hook.Description, "."), "|", `\|`)
		if row := "| [" + name + "](.agents/hooks/" + name + "/HOOK.md) | " + about + " |"; !strings.Contains(text, row) {
			t.Errorf("README.md lacks the row %s", row)
		}
	}
}

// TestReadme runs each command of README.md that is followed by its output.
func TestReadme(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is not installed")
	}
	shown := regexp.MustCompile("(?s)```console\n\\$ ([^\n]*)\n(.*?)```").FindAllSubmatch(read(t, "README.md"), -1)
	if len(shown) == 0 {
		t.Fatal("README.md shows no command")
	}
	for _, m := range shown {
		cmd := exec.Command("sh", "-c", string(m[1]))
		cmd.Env = append(cmd.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != string(m[2]) {
			t.Errorf("%s: %v\n%s\nREADME.md shows\n%s", m[1], err, out, m[2])
		}
	}
}
