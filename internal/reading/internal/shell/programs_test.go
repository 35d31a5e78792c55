package shell

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/manifest"
)

var update = flag.Bool("update", false, "rewrite the table of programs in READING.md")

// The table of 6.19 is the one that the program uses.
func TestProgramsInSpec(t *testing.T) {
	const file, begin, end = "../../../../spec/READING.md", "| Programs | Operands | Options |\n|---|---|---|\n", "\n\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text)+"\n", begin)
	table, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("READING.md has no table of programs")
	}
	var rows []string
	for i := range usages {
		rows = append(rows, rowOf(&usages[i]))
	}
	want := strings.Join(rows, "\n")
	if table == want {
		return
	}
	if !*update {
		t.Fatalf("READING.md has another table of programs; want:\n%s", want)
	}
	if err := os.WriteFile(file, []byte(strings.TrimSuffix(before+begin+want+end+after, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rowOf returns a row of the table.
func rowOf(u *Usage) string {
	code := func(list string) string {
		return "`" + strings.Join(strings.Fields(strings.ReplaceAll(list, "/", " ")), "` `") + "`"
	}
	var names, operands, options []string
	for name := range strings.FieldsSeq(u.Names) {
		names = append(names, "`"+strings.ReplaceAll(name, "/", " ")+"`")
	}
	if u.Text > 0 {
		operands = append(operands, "the first is text")
	}
	if u.All == 0 && u.Last == 0 {
		operands = append(operands, "text")
	} else if u.All != 0 {
		operands = append(operands, manifest.Access(u.All).String())
	}
	if u.Last != 0 {
		operands = append(operands, "the last: "+manifest.Access(u.Last).String())
	}
	if u.Here {
		operands = append(operands, "without any, what is below the directory")
	}
	if u.Known {
		operands = append(operands, "known")
	}
	if u.Runs {
		operands = append(operands, "may run")
	}
	if u.Prose {
		operands = append(operands, "prose")
	}
	for _, list := range []struct{ what, options string }{
		{"in place of the text", u.Given}, {"text", u.Values}, {"read", u.Reads}, {"write", u.Writes}, {"`@` and a file that is read, or text", u.Data},
		{"only the first operand is used, and none with", u.Script}, {"what is below the last operand is removed", u.Mirror}, {"a written file is new without", u.Keeps}, {"also remove-tree", u.Tree}, {"also write", u.Edits}, {"nothing is used", u.Idle}, {"nothing is used without", u.Shows}, {"only the last operand is used", u.Links},
	} {
		if list.options != "" {
			options = append(options, list.what+": "+code(list.options))
		}
	}
	if u.Words {
		options = append(options, "one hyphen before words")
	}
	return "| " + strings.Join(names, " ") + " | " + strings.Join(operands, "; ") + " | " + strings.Join(options, "; ") + " |"
}

// Uses are the accesses of hooks.
func TestUses(t *testing.T) {
	if got := manifest.Access(Reads | Writes | Removes | RemovesTree); got != manifest.AnyAccess || manifest.Access(Reads) != manifest.Read || manifest.Access(RemovesTree) != manifest.RemoveTree || manifest.Access(Writes) != manifest.Write {
		t.Error("uses and metadata.access differ")
	}
	seen := map[string]bool{}
	for _, u := range usages {
		for name := range strings.FieldsSeq(u.Names) {
			if seen[name] {
				t.Errorf("%s is in two rows", name)
			}
			seen[name] = true
		}
	}
}
