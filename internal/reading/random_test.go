package reading

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
	"github.com/agent-hooks/agent-hooks/matcher"
)

// words makes random texts of two programs, p and q, with unknown words.
type words struct{ *rand.Rand }

func (w words) pick(choices ...string) string { return choices[w.IntN(len(choices))] }

func (w words) part() string {
	return w.pick("a", "b", "''", "' '", "'a  b'", "-x", "--y=", `"$X"`, "$X", `"$Y"`, "$Y", `"a $X"`, `"$X b"`, `"$X$Y"`, `"$@"`, "$*", "*", "s/*.o", "?", "[ab]", "[!a]*", "[", "]", "**", "/", `"/"`,
		"$(echo $X)", `"$(echo $X)"`, "${X:-d e}", `"${Y:+a b}"`, "$((1+1))", "$?", "{a,$X}", `"$(echo b c)"`, `$(printf '%s' 'a b')`, `$'a\tb'`, "\\ ", "\\*", "$V", `"$V"`)
}

func (w words) word() string {
	word := w.part()
	for w.IntN(3) == 0 {
		word += w.part()
	}
	return word
}

func (w words) command() string {
	text := w.pick("p", "q")
	for range w.IntN(5) {
		text += " " + w.word()
	}
	return text
}

func (w words) text() string {
	text := w.pick("", "", "V='a *'; ", "V=s/x.o\n", "shopt -s nullglob; ", "set -- $X c; ", "V=$X; ") + w.command()
	for w.IntN(3) == 0 {
		text += w.pick("; ", " && ", "\n", " || ") + w.command()
	}
	return text
}

// TestRandom runs random texts in which only the shell knows the values of some
// variables: what a program then gets must be a value of its line. Set SHELL_TEXTS
// and SHELL_SEED to run more.
func TestRandom(t *testing.T) {
	number := func(variable string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
			return n
		}
		return otherwise
	}
	for _, name := range []string{"bash", "dash", "zsh"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		random := words{rand.New(rand.NewPCG(uint64(number("SHELL_SEED", 1)), 0))}
		var texts []string
		for range number("SHELL_TEXTS", 300) {
			texts = append(texts, random.text())
		}
		ran := runAll(t, program, texts, func() string {
			return quoted(random.pick("", "a", "a b", " a", "b ", "-x", "*", "a/b", "a\nb", "s/*", ".", "'", "é", "a\t b"))
		}, "p", "q")
		count := 0
		for i, text := range texts {
			c := call(text)
			c.Dir = ""
			commands := c.Commands()
			if commands.Unknown != "" || name == "zsh" && strings.Contains(text, "**") || // which also matches no folder there
				name == "dash" && strings.ContainsAny(strings.ReplaceAll(text, "${", ""), "{") || name == "dash" && strings.Contains(text, "$'") {
				continue
			}
			for _, run := range ran[i] {
				count++
				one := shell.Invocation{Words: run}
				known, _ := passageOf(one) // with its spellings without options
				for _, line := range append(known.Lines, spaced(one), Marked(one)) {
					m := matcher.New("", `\A`+regexp.QuoteMeta(line[0].Text)+`\Z`)
					passages := func() ([]passage.Passage, string) { return commands.Passages, "" }
					if !m.Match(matcher.Subject{Passages: passages}).Matched {
						var lines []string
						for _, p := range commands.Passages {
							lines = append(lines, asText(p))
						}
						t.Fatalf("%s: text %d\n%s\nruns %q, which is not in\n%s", name, i, text, line[0].Text, strings.Join(lines, "\n"))
					}
				}
			}
		}
		t.Logf("%s: %d programs ran", name, count)
	}
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// runAll returns the words of the programs of some names that each text runs.
func runAll(t *testing.T, program string, texts []string, value func() string, names ...string) [][][]string {
	t.Helper()
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	for _, file := range []string{"a", "a b", "s/x.o", "s/y z.o", "b"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script := "note() { printf '%s\\037' \"$@\" >> \"$LOG\"; printf '\\036' >> \"$LOG\"; }\n"
	for _, name := range names {
		script += fmt.Sprintf("%s() { note %s \"$@\"; }\n", name, name)
	}
	for _, text := range texts {
		script += fmt.Sprintf("(X=%s; Y=%s; set -- %s %s; eval %s) < /dev/null > /dev/null 2>&1; printf '\\035' >> \"$LOG\"\n", value(), value(), value(), value(), quoted(text))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program)
	c.Dir, c.Stdin, c.Env = dir, strings.NewReader(script), []string{"LOG=" + log, "PATH=" + os.Getenv("PATH"), "HOME=/home/me"}
	if output, err := c.CombinedOutput(); err != nil {
		t.Fatal(cmp.Or(string(output), err.Error()))
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var all [][][]string
	for one := range strings.SplitSeq(string(data), "\x1d") {
		var runs [][]string
		for run := range strings.SplitSeq(one, "\x1e") {
			if words := strings.Split(run, "\x1f"); len(words) > 1 {
				runs = append(runs, words[:len(words)-1])
			}
		}
		all = append(all, runs)
	}
	return all
}
