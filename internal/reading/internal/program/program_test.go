package program

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
	All(func(p *Program) { rows = append(rows, rowOf(p)) })
	want := strings.Join(rows, "\n")
	if table == want {
		return
	}
	if !*update {
		t.Fatal("READING.md has another table of programs; -update writes it")
	}
	if err := os.WriteFile(file, []byte(strings.TrimSuffix(before+begin+want+end+after, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// effects are the words of the table for what options do, in order.
var effects = []struct {
	does Does
	text string
}{
	{Instead, "in place of the text"}, {Text, "text"}, {Read, "read"}, {Write, "write"}, {Load, "load"}, {Enter, "directory"}, {Into, "directory of what is written"},
	{Paths, "paths"}, {Data, "`@` and a file that is read, or text"}, {Run, "a text for the shell"}, {Helper, "a program"}, {Exec, "a command up to `;` or `+`"}, {Tail, "a command"}, {Code, "a program text"},
	{Module, "a program and its words"}, {Setting, "a setting"}, {Entry, "the program"}, {Trees, "also remove-tree"}, {Edits, "also write"}, {Deletes, "what is found is removed"},
	{Links, "only the last operand is used"}, {Idle, "nothing is used"}, {Shows, "nothing is used without"}, {Keeps, "a written file is new without"},
	{Mirror, "what is below the last operand is removed"}, {Fetches, "a file of the name in the URL is written"}, {Replaces, "text that is replaced"}, {Shell, "a shell"},
	{First, "the first operand is a text for the shell"}, {Input, "the input is a text for the shell"}, {Named, "names of files are printed"}, {Narrows, "a part of the names is printed"}, {Acts, "other effects"},
}

// rowOf returns a row of the table.
func rowOf(p *Program) string {
	code := func(list string) string {
		return "`" + strings.Join(strings.Fields(list), "` `") + "`"
	}
	var operands, options []string
	add := func(is bool, text string) {
		if is {
			operands = append(operands, text)
		}
	}
	add(p.Text > 0, "the first is text")
	add(p.Operands == 0 && p.Last == 0, "text")
	add(p.Operands != 0, manifest.Access(p.Operands).String())
	add(p.Last != 0, "the last: "+manifest.Access(p.Last).String())
	add(p.Is&Here != 0, "without any, what is below the directory")
	add(p.Is&Lists != 0, "their names and those below them are printed")
	add(p.Is&Known != 0, "known")
	add(p.Is&Open != 0, "open")
	add(p.Is&MayRun != 0, "may run")
	add(p.Is&Prose != 0, "prose")
	add(p.Runs&(Command|Joined) != 0, "run")
	add(p.Skip > 0, "after the first")
	if p.Values != "" && p.Runs == 0 {
		options = append(options, "text: "+code(p.Values))
	}
	for _, o := range p.Options {
		var what []string
		for _, e := range effects {
			if o.Does&e.does != 0 {
				what = append(what, e.text)
			}
		}
		options = append(options, strings.Join(what, ", ")+": "+code(o.Names))
	}
	if p.Is&Words != 0 {
		options = append(options, "one hyphen before words")
	}
	if p.Flags == " * " {
		options = append(options, "others do nothing")
	}
	names := strings.ReplaceAll(code(p.Names), "/", " ")
	return "| " + names + " | " + strings.Join(operands, "; ") + " | " + strings.Join(options, "; ") + " |"
}

// A name is in one row, lists begin and end with a space, and an option is in one list besides Flags.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	All(func(p *Program) {
		lists := []string{p.Names, p.Flags, p.Values}
		for _, o := range p.Options {
			lists = append(lists, o.Names)
		}
		for i, list := range lists {
			if list != "" && (list[0] != ' ' || list[len(list)-1] != ' ') || i == 0 && list != strings.ToLower(list) {
				t.Errorf("%s: the list %q", p.Names, list)
			}
		}
		for name := range strings.FieldsSeq(p.Names) {
			if seen[name] {
				t.Errorf("%s is in two rows", name)
			}
			seen[name] = true
		}
		options := map[string]bool{}
		for i, list := range lists[1:] {
			here := map[string]bool{}
			for field := range strings.FieldsSeq(list) {
				names := []string{field}
				if p.Is&Words == 0 && field[0] == '-' && len(field) > 2 && field[1] != '-' {
					names = strings.Split(field[1:], "")
				}
				for _, name := range names {
					name = strings.TrimPrefix(name, "-")
					if options[name] && !here[name] && i > 0 {
						t.Errorf("%s: the option %s is in two lists", p.Names, name)
					}
					here[name] = true
				}
			}
			for name := range here {
				options[name] = options[name] || i > 0
			}
		}
	})
}

func TestParse(t *testing.T) {
	for _, row := range []struct{ words, want string }{
		{"sort -ro F x", "-r -o=F : x"},
		{"sort -roF x", "-r -o=F : x"},
		{"sort --outp=F x", "--output=F : x"},
		{"sort --outp F x", "--output=F : x"},
		{"sort -k 2 -- -o", "-k=2 : -o"},
		{"sort x -o F", "-o=F : x"},
		{"rg --pre=X -e a b", "--pre=X -e=a : b"},
		{"sed -i.bak s/a/b/ f", "-i=.bak : s/a/b/ f"},
		{"dd if=a of=b bs=1M", "if==a of==b bs==1M :"},
		{"git -C d add -v f", "git/add -C=d -v : f"},
		{"git --weird x log -p", "git/log --weird? -p :"},
		{"docker compose -f x exec -T svc rm -rf y", "docker/compose/exec -f=x -T : > rm"},
		{"docker run --weird img rm", "docker/run --weird? : > rm >"},
		{"timeout -k 1 5 rm x", "-k=1 : > rm"},
		{"ssh -p 22 h -v ls", "-p=22 -v : > ls"},
		{"sh -euo pipefail -c T a", "-e -u -o=pipefail -c : T a"},
		{"bash -norc F -c", "--norc : F -c"},
		{"find . -name x -exec rm {} + -delete", "-name=x -exec=rm -delete : ."},
		{"python3.11 -W ignore s.py -c x", "-W=ignore : s.py -c x"},
		{"env -S 'a", "-S='a : >"},
		{"env A=b curl -fsSL U", ": > curl"},
		{"mise exec node@20 -c T", "mise/exec -c=T : > node@20"},
		{"less +F x", "+=F : x"},
	} {
		var words []Word
		for w := range strings.FieldsSeq(row.words) {
			words = append(words, Literal(w))
		}
		_, a, _ := Parse(words)
		var got []string
		if a.Start > 1 {
			got = append(got, a.Name)
		}
		for _, o := range a.Options {
			text := o.Name
			if !o.Listed {
				text += "?"
			}
			if o.Value >= 0 {
				text += "=" + words[o.Value].Text[o.From:]
			}
			got = append(got, text)
		}
		got = append(got, ":")
		for _, i := range a.Operands {
			got = append(got, words[i].Text)
		}
		for _, i := range a.Starts {
			got = append(got, ">")
			if i < len(words) {
				got = append(got, words[i].Text)
			}
		}
		if g := strings.Join(got, " "); g != row.want {
			t.Errorf("%s: got %s, want %s", row.words, g, row.want)
		}
	}
}
