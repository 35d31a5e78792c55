package manifest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/spec"
)

var update = flag.Bool("update", false, "rewrite testdata/err/*.txt")

// TestErrors checks the diagnostics of each testdata/err/NAME.md, in a folder
// NAME, against NAME.txt, each above its source line and a caret.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/err/*.md")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h, ds := Check(source, name)
			if len(ds) == 0 {
				t.Error("no diagnostics")
			}
			golden(t, strings.TrimSuffix(file, ".md")+".txt", render(h, ds))
		})
	}
}

func render(h Hook, ds []spec.Diagnostic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "trigger %q, on failure %s\n", h.Trigger, h.OnFailure)
	for _, d := range ds {
		fatal := ""
		if d.Fatal() {
			fatal = " (fatal)"
		}
		d.Path = "HOOK.md"
		fmt.Fprintf(&b, "%s%s: %v\n", d.Severity, fatal, d)
		fmt.Fprintf(&b, "    %q\n", d.Source)
	}
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
