package examples_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/manifest"
)

var update = flag.Bool("update", false, "write the table of README.md")

// TestReadme compares the table in README.md with the examples. -update writes it.
func TestReadme(t *testing.T) {
	t.Parallel()
	const document, begin, end = "README.md", "<!-- go test ./examples -run TestReadme -update -->\n", "<!-- end -->\n"
	before, rest, ok := strings.Cut(string(read(t, document)), begin)
	now, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table", document)
	}
	want := "\n" + table(t) + "\n"
	if *update {
		if err := os.WriteFile(document, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if now != want {
		t.Errorf("the table of %s differs; go test ./examples -run TestReadme -update writes\n%s", document, want)
	}
}

// table returns a table for each family, with a row for each of its examples.
func table(t *testing.T) string {
	families := map[string][]string{}
	for _, name := range examples.Names() {
		hook, _ := examples.Find(name)
		family := hook.Metadata["family"].(string)
		about := strings.ReplaceAll(strings.TrimSuffix(hook.Description, "."), "|", `\|`)
		families[family] = append(families[family], fmt.Sprintf("| [%s](%s/%s/HOOK.md) | %s | %s | %s |\n", name, hooksDir, name, about, hook.Trigger, cost(t, name, hook)))
	}
	var names []string
	for family := range families {
		names = append(names, family)
	}
	var b strings.Builder
	for i, family := range slices.Sorted(slices.Values(names)) {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "**%s%s**\n\n| hook | what it does | event | cost |\n|---|---|---|---|\n%s", strings.ToUpper(family[:1]), family[1:], strings.Join(families[family], ""))
	}
	return b.String()
}

// cost says what a matching event starts.
func cost(t *testing.T, name string, hook manifest.Hook) string {
	if hook.Answer != nil {
		return "no process"
	}
	cost := ""
	for _, f := range examples.Files(name) {
		switch line, _, _ := strings.Cut(string(f.Data), "\n"); {
		case f.Path == "prompt.md":
			cost += ", a model's answer"
		case strings.HasPrefix(f.Path, "scripts/") && strings.HasPrefix(line, "#!"):
			words := strings.FieldsFunc(line, func(r rune) bool { return r == '/' || r == ' ' })
			cost = words[len(words)-1] + cost
		}
	}
	if cost == "" {
		t.Fatalf("%s has neither an answer nor a script", name)
	}
	if hook.Async {
		return cost + "; nobody waits"
	}
	return cost + "; at most " + hook.Timeout.String()
}
