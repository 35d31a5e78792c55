//go:build unix

package place

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherNames checks that a directory in the project is found under another
// name, which a mount gives it.
func TestOtherNames(t *testing.T) {
	root := os.Getenv("PLACE_MOUNTED")
	if root == "" {
		root = t.TempDir()
		for _, dir := range []string{"home", "project/.git", "other"} {
			if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		run := exec.Command("unshare", "-rm", "sh", "-c", `mount --bind "$1/project" "$1/other" && exec "$0" -test.run=TestOtherNames`, os.Args[0], root)
		run.Env = append(os.Environ(), "PLACE_MOUNTED="+root)
		if out, err := run.CombinedOutput(); strings.Contains(string(out), "FAIL") {
			t.Error(string(out))
		} else if err != nil {
			t.Skipf("%v: %s", err, out)
		}
		return
	}
	candidates := []Candidate{{Process, "", filepath.Join(root, "project")}}
	home, alias := filepath.Join(root, "home"), filepath.Join(root, "other", "conf")
	if !NewSearch(candidates).Inside(alias, home, false) {
		t.Errorf("%s is not inside", alias)
	}
	if NewSearch(candidates).Inside(home, home, false) {
		t.Errorf("%s is inside", home)
	}
}
