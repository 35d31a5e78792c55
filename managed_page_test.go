package agenthooks_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

var update = flag.Bool("update", false, "write the tables of documents")

// managedSettings returns the table of the agents' managed settings.
func managedSettings() string {
	var b strings.Builder
	b.WriteString("| agent | managed settings on Linux | the agent's own lock | ways around that are left |\n|---|---|---|---|\n")
	for _, a := range agent.All() {
		var files []string
		for _, s := range a.Settings {
			if s.Scope() == "managed" {
				files = append(files, "`"+s.Path+"`")
			}
		}
		if len(files) == 0 {
			continue
		}
		lock := "none"
		if m := a.Setup.Managed; m.Lock != "" {
			lock = "`" + m.Lock + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", a.Title, strings.Join(slices.Sorted(slices.Values(files)), ", "), lock,
			cmp.Or(strings.Join(a.Setup.Managed.Ways, "; "), "not tried"))
	}
	return b.String()
}

// TestManagedSettings compares the table in docs/admin.md with the agents' tables. -update writes it.
func TestManagedSettings(t *testing.T) {
	const begin, end = "<!-- go test . -run TestManagedSettings -update -->\n", "<!-- end -->\n"
	const document = "docs/admin.md"
	before, rest, ok := strings.Cut(read(t, document), begin)
	now, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table", document)
	}
	want := "\n" + managedSettings() + "\n"
	if *update {
		if err := os.WriteFile(document, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if now != want {
		t.Errorf("the table in %s differs; go test . -run TestManagedSettings -update writes\n%s", document, want)
	}
}
