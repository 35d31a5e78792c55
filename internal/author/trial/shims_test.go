package trial_test

import (
	"path/filepath"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
)

func TestShims(t *testing.T) {
	home := t.TempDir()
	shims := filepath.Join(home, ".pyenv", "shims")
	elsewhere := filepath.Join(t.TempDir(), "shims")
	for _, test := range []struct {
		outcome agenthooks.Outcome
		status  int
		home    string
		path    []string
		want    string // the folder that it names
	}{
		{agenthooks.Failed, 127, home, []string{elsewhere, shims}, shims},
		{agenthooks.Failed, 126, home, []string{shims}, shims},
		{agenthooks.Failed, 1, home, []string{shims}, ""},
		{agenthooks.OutcomeDeny, 127, home, []string{shims}, ""},
		{agenthooks.Failed, 127, home, []string{elsewhere, filepath.Join(home, "bin")}, ""},
		{agenthooks.Failed, 127, "", []string{shims}, ""},
	} {
		environ := []string{"PATH=" + strings.Join(test.path, string(filepath.ListSeparator)), "HOME=" + test.home}
		got := trial.Shims(environ, &agenthooks.HookReport{Outcome: test.outcome, Status: test.status})
		if got == "" && test.want != "" || test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if got := trial.Shims(nil, nil); got != "" {
		t.Errorf("of a hook that did not run: %q", got)
	}
}
