package shell

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// prison runs vouched texts with real shells. PATH has only programs that record
// their arguments. A shell cannot start more than a few processes, unless root
// runs it: then run the test in a container.
type prison struct {
	bin, dir string
	shells   [][]string
	texts    int
	runs     int
}

// zshOptions change how zsh reads a text.
var zshOptions = []string{"extended_glob", "magic_equal_subst", "rc_quotes", "ksh_glob", "glob_subst", "brace_ccl", "csh_junkie_quotes", "interactive_comments", "auto_cd", "short_repeat", "null_glob", "sh_file_expansion", "ksh_arrays", "bare_glob_qual", "glob_dots", "numeric_glob_sort", "auto_pushd", "csh_null_glob", "posix_builtins", "c_bases", "octal_zeroes", "mark_dirs", "glob_star_short", "equals", "autoresume", "rc_expand_param", "posix_identifiers", "posix_aliases"}

// newPrison returns a prison for every shell that is installed. A text is an
// argument, or what somebody types at a prompt.
func newPrison(t testing.TB) *prison {
	t.Helper()
	p := &prison{bin: t.TempDir(), dir: t.TempDir()}
	record := "#!/bin/sh\n" + `l=; for w in "${0##*/}" "$@"; do l=$l$w$(/usr/bin/printf '\037'); done; printf '%s\036' "$l" >> "$LOG"` + "\n"
	for _, name := range []string{"git", "cat", "npm", "go", "id", "x", "y", "a", "ab", "zz", "status", "sudo", "Git", "E"} {
		if err := os.WriteFile(filepath.Join(p.bin, name), []byte(record), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"-x", "b c", "a;id", "a$(id)", "a=b", "id x"} {
		if err := os.WriteFile(filepath.Join(p.dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(p.dir, ".history"), []byte("id a\nid b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, s := range [][]string{
		{"bash", "-c"}, {"bash", "-O", "extglob", "-O", "globstar", "-O", "nullglob", "-O", "autocd", "-c"}, {"dash", "-c"}, {"zsh", "-fc"}, {"fish", "--no-config", "-c"}, {"mksh", "-c"}, {"ksh", "-c"},
		{"bash", "--norc", "--noprofile", "-i"}, {"zsh", "-fis"}, append([]string{"zsh", "-fis"}, optionsOf(zshOptions)...), append(append([]string{"zsh", "-f"}, optionsOf(zshOptions)...), "-c"),
	} {
		if file, err := exec.LookPath(s[0]); err == nil {
			p.shells = append(p.shells, append([]string{file}, s[1:]...))
		}
	}
	if len(p.shells) == 0 {
		t.Skip("no shell")
	}
	return p
}

func optionsOf(names []string) (all []string) {
	for _, n := range names {
		all = append(all, "-o", n)
	}
	return all
}

// run returns the words of the programs that a shell runs.
func (p *prison) run(t testing.TB, shell []string, text string) (runs [][]string) {
	t.Helper()
	p.texts++
	log := filepath.Join(p.bin, fmt.Sprint("log", p.texts))
	defer os.Remove(log)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	text += "\nzz \"$PATH\" \"$PWD\""
	args := slices.Clone(shell)
	prompt := args[len(args)-1][0] != '-' || !strings.HasSuffix(args[len(args)-1], "c")
	if !prompt {
		args = append(args, text)
	}
	c := exec.CommandContext(ctx, "/bin/bash", append([]string{"-c", `ulimit -u 500; ulimit -t 5; ulimit -f 1000; exec "$@"`, "bash"}, args...)...)
	if prompt {
		c.Stdin = strings.NewReader(text + "\n")
	}
	c.Dir = p.dir
	c.Env = []string{"PATH=" + p.bin, "LOG=" + log, "HOME=" + p.dir, "PWD=" + p.dir, "LC_ALL=C.UTF-8", "TERM=dumb", "HISTFILE=" + filepath.Join(p.dir, ".history"), "HISTSIZE=100", "SAVEHIST=0", "XDG_CONFIG_HOME=" + p.bin, "XDG_DATA_HOME=" + p.bin}
	c.WaitDelay = time.Second
	_ = c.Run() // the status does not matter
	recorded, _ := os.ReadFile(log)
	for entry := range strings.SplitSeq(string(recorded), "\x1e") {
		if words := strings.Split(entry, "\x1f"); len(words) > 1 {
			runs = append(runs, words[:len(words)-1])
		}
	}
	return runs
}

// check reports a program that ran, although the text that is vouched for does
// not have it, and a changed PATH or directory.
func (p *prison) check(t testing.TB, text string) (vouched bool) {
	t.Helper()
	if Vouch(text, false, func(Invocation) bool { return true }) != nil {
		return false
	}
	var r Reader
	if err := r.Read(text); err != nil {
		t.Fatal(err)
	}
	for _, shell := range p.shells {
		for _, run := range p.run(t, shell, text) {
			p.runs++
			if run[0] == "zz" && len(run) == 3 {
				if run[1] != p.bin || run[2] != p.dir {
					t.Errorf("%q: %s has PATH and PWD %q", text, shell, run[1:])
				}
				continue
			}
			if !slices.ContainsFunc(r.Commands, func(c Command) bool {
				return slices.Equal(c.Words, run) || len(c.Globs) > 0 && c.Words[0] == run[0]
			}) {
				t.Errorf("%q: %s runs %q", text, shell, run)
			}
		}
	}
	return true
}

// smuggler makes texts that may be vouched for.
type smuggler struct{ *rand.Rand }

func (s smuggler) pick(choices ...string) string { return choices[s.IntN(len(choices))] }

var smuggled = []string{"x", "a", "status", "-s", "--short", "a*", "a?", "b[ c]", "'a b'", "\"a b\"", "\\ ", "a\\ b", "'$(id)'", "'`id`'", "\"\\$(id)\"", "'a'\"b\"", "''", "\"\"", "a=b", "a:b", "=", "]", "[", "'a;id'", "\"a;id\"", "a\\;id", "a\\&id", "a\\|id", "\\\"id", "\\'id", "\"'\"", "'\"'", "\"\\\\\"", "\"\\\"\"", "'a\\d'", "\"a\\d\"", "\\-x", "@", "@a", "+x", "a,b", "a%b", "'%d'", "'%s'", "'a[id]'", "a[1]", "a[id]", "2>/dev/null", "2>&1", ">/dev/null", "< /dev/null", "1>&2", "-n", "-f", "-z", "!", "#", "$", "`id`", "$(id)", "~", "{a,id}", "<(id)", "=id", "(id)", "&", "<<E", "\\", "\\\n", "'", "\"", "\n", "\r", "\t", "é", "'é'", "é'", "\"é\"", "\\é", "^", "^a^id", "'^a^id'", "%1", "-", "--", "..", ".", "/", "*", "?", "**", "a**", "a*b", "0", "1", "-eq", "-t", "a[b]*", "a*(id)", "a*\\(id\\)", "'a'*", "\"a\"?", "\\a", "\\x41", "PATH=1", "'PATH=1'", "a/*/b", "a[!b]", "a[^b]", "a[a-b]", "a\\*", "\\*", "'*'", "a]", "[a]", "a\\[", "\"a\"'b'", "'a''b'", "'a'\\''b'", "\"a\\\"b\"", "a''b", "\":\"", ":", ",", "%", "a%", "\\%", "'\\'", "'\\\\'", "-e*", "a>b", "3>&1", "2>&1x", "&&", "||", "|", ";", ";;", "|&", "&>/dev/null", ">|/dev/null", ">&1", ">&2", "<&0", "1>&0", "2>>/dev/null", "0</dev/null", "a2>/dev/null", "2 >/dev/null"}

func (s smuggler) text() string {
	if s.IntN(3) == 0 {
		return s.mutated()
	}
	var b strings.Builder
	for i := range 1 + s.IntN(4) {
		if i > 0 {
			b.WriteString(s.pick(" && ", " || ", "; ", "\n", " | ", ";", "&&", "||", "|", "\n\n", " ;", " |\n", " &&\n"))
		}
		b.WriteString(s.pick("git", "git", "cat", "npm", "go", "echo", "echo", "printf", "printf '%s'", "test", "[", "true", ":", "pwd", "x", "a", "./x"))
		for range s.IntN(4) {
			b.WriteString(s.pick(" ", " ", " ", " ", "  ", "") + smuggled[s.IntN(len(smuggled))])
		}
	}
	return b.String()
}

// mutated returns a known text with small changes.
func (s smuggler) mutated() string {
	texts := slices.Concat(vouchedTexts, smuggling)
	text := texts[s.IntN(len(texts))]
	if s.IntN(2) == 0 {
		text = strings.ReplaceAll(text, "ls", "git")
	}
	for range s.IntN(3) {
		at := s.IntN(len(text) + 1)
		end := min(len(text), at+s.IntN(3))
		text = text[:at] + s.pick("", " ", "'", "\"", "\\", "$", "`", "(", ")", ";", "|", "&", "<", ">", "\n", "#", "!", "^", "~", "=", "*", "?", "[", "]", "{", "}", "%", "id", "$(id)", ";id;", "-", "a", "2") + text[end:]
	}
	return text
}

// TestVouchedRuns runs random texts that are vouched for with every shell.
// Nothing else may run. Set SHELL_TEXTS and SHELL_SEED to run more.
func TestVouchedRuns(t *testing.T) {
	testenv.Long(t)
	count, seed := 40, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("SHELL_TEXTS")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("SHELL_SEED"), 10, 64); err == nil {
		seed = n
	}
	p := newPrison(t)
	for _, shell := range p.shells { // the prison sees what runs
		if runs := p.run(t, shell, "cat \"$(id)\""); len(runs) != 3 || runs[0][0] != "id" {
			t.Errorf("%s runs %q", shell, runs)
		}
	}
	vouched := 0
	for i := range count {
		text := smuggler{rand.New(rand.NewPCG(seed, uint64(i)))}.text()
		if p.check(t, text) {
			vouched++
		}
	}
	t.Logf("%d of %d texts are vouched for, %d programs ran in %d shells", vouched, count, p.runs, len(p.shells))
}

// FuzzVouch runs what is vouched for with every shell.
func FuzzVouch(f *testing.F) {
	testenv.Long(f)
	for _, text := range slices.Concat(vouchedTexts, smuggling) {
		f.Add(text)
	}
	p := newPrison(f)
	f.Fuzz(func(t *testing.T, text string) { p.check(t, text) })
}
