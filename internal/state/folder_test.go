package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrorsOmitTheTemporaryFolder checks that the error, whichever step
// failed, does not mention the temporary folder.
func TestErrorsOmitTheTemporaryFolder(t *testing.T) {
	hooks := filepath.Join(t.TempDir(), "hooks")
	if err := os.Mkdir(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	link := &os.LinkError{Op: "rename", Old: "/x/.new-1/abc", New: hooks + "/abc", Err: os.ErrPermission}
	if err := notWritten(hooks, link); !errors.Is(err, os.ErrPermission) || strings.Contains(err.Error(), ".new-") {
		t.Error(err)
	}
	tooLong := []File{{Path: strings.Repeat("a", 300)}}
	err := WriteFolder(hooks, "abc", tooLong, 0o755)
	if err == nil || strings.Contains(err.Error(), ".new-") {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(hooks), ".new-*")); len(left) > 0 {
		t.Errorf("%s is left", left)
	}
}
