package shell

import (
	"bytes"
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

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// lab runs texts with a real shell whose programs only record their arguments.
type lab struct {
	bin, dir    string
	shell       []string // that runs the texts
	texts, runs int
}

// record writes the words of a program to the log. The programs below it do
// what the real ones do as far as the texts use them.
const record = "#!/bin/sh\n" + `l=; for w in "${0##*/}" "$@"; do l=$l$w$(printf '\037'); done; printf '%s\036' "$l" >> "$LOG"` + "\n"

var programs = map[string]string{
	"p1": "", "p2": "", "p3": "", "p4": "exit 1\n", "docker": "shift 2; exec \"$@\"\n", "npx": "shift; exec \"$@\"\n", "which": "[ \"$1\" = nothing ] || echo \"$1\"\n",
	"sudo": `s=
while :; do case $1 in -u|--us*) shift 2;; -s|-i|--sh*|--lo*) s=1; shift;; --) shift; break;; -*) shift;; *=*) export "$1"; shift;; *) break;; esac; done
if [ "$s" ] && [ $# = 0 ]; then exec sh; elif [ "$s" ]; then exec sh -c "$*"; fi
exec "$@"
`,
	"su": `c= user=
while [ $# -gt 0 ]; do case $1 in -c|--c|--co|--comm|--command) c=$2; shift 2;; -c*) c=${1#-c}; shift;; -lc) c=$2; shift 2;; -lc*) c=${1#-lc}; shift;; --c*=*) c=${1#*=}; shift;; --) shift; break;; -*) shift;; *) [ "$user" ] && break; user=$1; shift;; esac; done
if [ "$c" ]; then exec sh -c "$c"; fi
if [ $# -gt 0 ] && [ ! "$user" ]; then shift; fi
exec sh "$@"
`,
	"ssh": `host=
while [ $# -gt 0 ]; do case $1 in -p|-o) shift 2;; --) shift; break;; -*) shift;; *) [ "$host" ] && break; host=$1; shift;; esac; done
[ "$host" ] || shift
if [ $# -gt 0 ]; then exec sh -c "$*"; fi
exec sh
`,
}

func newLab(t *testing.T, sh string) *lab {
	t.Helper()
	l := &lab{bin: t.TempDir(), dir: t.TempDir()}
	l.shell = []string{filepath.Join(l.bin, "bash"), "-c"}
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(l.bin, name), []byte(record+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, program := range map[string]string{"sh": sh, "bash": "bash", "env": "env", "xargs": "xargs", "find": "find", "timeout": "timeout", "nice": "nice", "cat": "cat", "mktemp": "mktemp", "head": "head"} {
		file, err := exec.LookPath(program)
		if err != nil {
			t.Skipf("a program that the test needs is missing: %v", err)
		}
		if err := os.Symlink(file, filepath.Join(l.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// run returns the words of the programs that bash runs for a text.
func (l *lab) run(t *testing.T, text string) (runs [][]string) {
	t.Helper()
	l.texts++
	file := filepath.Join(l.bin, fmt.Sprint("log", l.texts)) // another's background process may still write
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, l.shell[0], append(l.shell[1:len(l.shell):len(l.shell)], text)...)
	c.Dir = l.dir
	c.Env = []string{"PATH=" + l.bin, "LOG=" + file, "HOME=/home/u", "PWD=" + l.dir}
	c.WaitDelay = time.Second
	_ = c.Run() // the status does not matter
	log, _ := os.ReadFile(file)
	for entry := range strings.SplitSeq(string(log), "\x1e") {
		if words := strings.Split(entry, "\x1f"); len(words) > 1 {
			runs = append(runs, words[:len(words)-1])
		}
	}
	return runs
}

// lists reports whether a command was listed with the words of a program that
// ran. An unknown word may stand for any words.
func lists(commands []Command, c Command, run []string) bool {
	if len(c.Words) == 0 || Program(c.Words[0]) != run[0] {
		return false
	}
	outer := ""
	if c.Inside > 0 && len(commands[c.Inside-1].Words) > 0 {
		outer = commands[c.Inside-1].Words[0]
	}
	appends := slices.Contains([]string{"find", "xargs", "mapfile", "readarray", "compgen"}, outer) || c.more || len(c.filled) > 0
	for i, w := range c.Words {
		switch {
		case slices.Contains(c.Unknown, i), slices.Contains(c.Globs, i), appends && w == "{}":
			return true // the rest may be anything
		case i >= len(run):
			return false
		case strings.Contains(run[i], "{"):
			return true // dash expands no braces
		case run[i] != w && w != "~" && i > 0:
			return false
		}
	}
	return len(c.Words) == len(run) || appends
}

// oneLine joins words, whose white space does not matter.
func oneLine(words []string) string {
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// readsProgram reports whether a listed shell reads its program from a pipe or
// a file: what it runs is not listed.
func readsProgram(unlisted bool, c Command) bool {
	if len(c.Words) > 1 && (c.Words[0] == "." || c.Words[0] == "source") {
		return len(c.Unknown) > 0
	}
	return len(c.Words) > 0 && program.IsShell(Program(c.Words[0])) &&
		(unlisted && len(c.Reads) > 0 || slices.ContainsFunc(c.Redirects, func(r Redirect) bool { return r.Op == "<" || r.Op == "<&" }))
}

// check reports a program that ran and is not listed, although the text counts
// as read.
func (l *lab) check(t *testing.T, text string) {
	t.Helper()
	r := Reader{Variables: map[string]string{"HOME": "/home/u"}}
	if err := r.Read(text); err != nil {
		return
	}
	for _, run := range l.run(t, text) {
		l.runs++
		if !slices.ContainsFunc(r.Commands, func(c Command) bool {
			return lists(r.Commands, c, run) || l.shell[1] == "-fc" && oneLine(c.Words) == oneLine(run) || // it divides no values
				readsProgram(r.Unlisted() != nil, c)
		}) {
			var b bytes.Buffer
			_ = Write(&b, r.Commands)
			t.Errorf("%s\nruns %q, but the commands are\n%s", text, run, b.String())
			return
		}
	}
}

// generator makes random texts of the constructs that matter to variables.
type generator struct {
	*rand.Rand
	depth int
}

func (g *generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *generator) name() string { return g.pick("A", "B", "C") }

func (g *generator) word() string {
	return g.pick("p1", "p2", "p3", "x", "''", "'p1 y'", "\"$"+g.name()+"\"", "$"+g.name(), "${"+g.name()+"}", "${"+g.name()+":-p1}", "$("+g.pick("p2", "echo p3", "echo $A")+")", "{p1,p2}", "~", "'*'", "${"+g.name()+":=p3}")
}

func (g *generator) value() string {
	return g.pick("p1", "p2", "p3", "'p1 z'", "''", "$A", "\"$B\"q", "$((1/0))", "$?", "$!", "p$#", "'a;p2'", "$(mktemp -u)")
}

func (g *generator) list() string {
	var all []string
	for range 1 + g.IntN(3) {
		all = append(all, g.command())
	}
	text := all[0]
	for _, c := range all[1:] {
		text += g.pick("; ", "\n", " && ", " || ", "\n", "; ") + c
	}
	return text
}

func quoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func (g *generator) command() string {
	n, v := g.name(), g.value()
	if g.depth > 3 || g.IntN(2) == 0 {
		return g.pick(n+"="+v, n+"="+v, n+"="+v, "$"+n+" a", "$"+n+" "+g.word(), "p1 "+g.word(), "p2 \"$"+n+"\" $"+n, n+"="+v+" p1 $"+n,
			"export "+n+"="+v, "readonly "+n, "declare -u "+n, "unset "+n, "read "+n+" <<< "+v, "printf -v "+n+" %s "+v, n+"+="+v, "IFS="+g.pick("p", "''", "1"),
			"eval "+quoteText(n+"="+v), "eval \"$"+n+" e\"", "f", "g", "f", "g", "p1 a", "p2 b", "$"+n+" c", g.pick("return", "break", "continue", "echo $((1/0))"), "p4", "true", "false", "set -- p1 p2", "local "+n+"=p1", "let "+n+"=2", "(("+n+"=3))", "declare -n "+n+"=A", "cd .", "trap "+quoteText(n+"="+v)+" DEBUG", "mapfile -t "+n+" <<< p2")
	}
	g.depth++
	defer func() { g.depth-- }()
	l := g.list
	switch g.IntN(20) {
	case 16:
		return "echo " + quoteText(g.list()) + " | " + g.pick("sh", "bash -s", "sudo sh", "{ sh\n}", "{ read -N2 x; sh\n}", "f", "cat | sh")
	case 17:
		return "f() { " + g.pick("read -N1 x; ", "", "", "p1; ") + "sh\n}"
	case 18:
		return g.pick("bash -c", "sh -c", "eval", "trap") + " \"" + g.pick("p1 $", "p2 $", "$", "p1 a$", n+"=p3; $") + n + "\"" + g.pick("", " EXIT")
	case 19:
		return "sh <<E\n" + l() + "\n$" + n + "\nE\n"
	case 0:
		return "if " + g.command() + "\nthen " + l() + "\nelse " + l() + "\nfi"
	case 1, 2, 3:
		return "for " + n + " in " + g.word() + " " + g.word() + "\ndo " + l() + "\ndone"
	case 4:
		return "(" + l() + "\n)"
	case 5:
		return "{ " + l() + "\n}"
	case 6:
		return g.pick("f", "g") + "() { " + l() + "\n}"
	case 7:
		return "sh -c " + quoteText(l())
	case 8:
		return "eval " + quoteText(l())
	case 9:
		return g.command() + " | { " + l() + "\n}"
	case 10:
		return "case $" + n + " in p*) " + l() + "\n;; *) " + l() + "\n;; esac"
	case 11:
		return "sh <<E\n" + l() + "\nE\n"
	case 12:
		return "p1 \"$(" + l() + "\n)\""
	case 13:
		return "bash <<'E'\n" + l() + "\nE\n"
	case 14:
		return "i=$i.; while [ ${#i} -lt 4 ]\ndo i=$i.\n" + l() + "\ndone"
	}
	return g.pick("sudo ", "env X=1 ", "timeout 5 ", "nice ", "command ", "builtin ", "time ", "! ") + g.command()
}

// TestRandom runs random texts: every program that runs must be listed, or the
// text is refused. Set SHELL_TEXTS and SHELL_SEED to run more.
func TestRandom(t *testing.T) {
	count, seed := 60, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("SHELL_TEXTS")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("SHELL_SEED"), 10, 64); err == nil {
		seed = n
	}
	dash, bash := newLab(t, "dash"), newLab(t, "bash")
	read := 0
	for i := range count {
		g := generator{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		text := g.list()
		var r Reader
		if r.Read(text) == nil {
			read++
		}
		if i%2 == 0 {
			dash.check(t, text)
		} else {
			bash.check(t, text)
		}
		if t.Failed() {
			t.Fatal(fmt.Sprint("text ", i))
		}
	}
	t.Logf("%d of %d texts are read, %d programs ran", read, count, dash.runs+bash.runs)
}

// TestBash runs texts that try to hide a program: each must be listed, or the
// text is refused.
func TestBash(t *testing.T) {
	testenv.Long(t)
	dash, bash := newLab(t, "dash"), newLab(t, "bash")
	for _, text := range hiding {
		dash.check(t, text)
		bash.check(t, text)
	}
	t.Logf("%d programs ran", dash.runs+bash.runs)
}

var hiding = []string{
	// Comments.
	"p1 # x \\\np2 a", "# \\\np2", "p1 # \\\\\np2", "p1 # \\\\\\\np2", "{ # \\\np2\n}", "if p1 # \\\nthen # \\\np2\nfi", "for i in a # \\\ndo # \\\np2\ndone", "case x in # \\\nx) # \\\np2;; # \\\nesac",
	"(# \\\np2\n)", "p1 $(# \\\np2\n)", "p1 `# \\\np2\n`", "f() # \\\n{ p2; }; f", "p1 | # \\\np2", "p1 && # \\\np2", "a=( # \\\n$(p2) )", "[[ a && # \\\n$(p2) ]]", "sh -c 'p1 # \\\np2'", "sh <<E\np1 # \\\\\np2\nE", "eval 'p1 # \\\np2'", "p1 \\\n# \\\np2", "p1;# \\\np2", "while p4 # \\\ndo p1\ndone # \\\np2", "p1 <<E # \\\nx\nE\np2", "cat <<'E'\nx \\\nE\np2\nE", "cat <<E\nx \\\nE\np2\nE", "p1 a\\\\\\\np2", "p1 a\\\\\np2", "p1 'a \\\n# b'\np2", "p1 \"a \\\n# b\"\np2", "$(p1 # \\\n) p2",
	// Quotes inside an expansion.
	"p1 \"${x:-'$(p2)'}\"", "p1 \"${x:-'`p2`'}\"", "p1 \"${x-'$(p2)'}\"", "p1 \"${HOME+'$(p2)'}\"", "p1 \"${x:='$(p2)'}\"", "p1 \"${HOME#'$(p2)'}\"", "p1 \"${HOME/'$(p2)'/x}\"", "p1 \"${HOME/h/'$(p2)'}\"", "p1 ${x:-'$(p2)'}", "p1 \"${x:-${y:-'$(p2)'}}\"", "p1 \"${x:-a}'$(p2)'\"",
	"cat <<E\n${x:-'$(p2)'}\nE", "cat <<E\n${x:-'}$(p2)'}\nE", "p1 \"${x:-'}'$(p2)'}\"", "p1 \"${x:-it's}\"; p2; p1 \"${y:-it's}\"", "p1 $((1 + ${x:-'$(p2)'}))", "p1 $(( '$(p2)' ))", "(( '$(p2)' ))", "p1 \"${x:-$'$(p2)'}\"", "p1 \"${x:-\"'$(p2)'\"}\"", "p1 ${x:-\"'$(p2)'\"}", "p1 \"${HOME:'$(p2)':1}\"", "p1 \"${x[0]:-'$(p2)'}\"", "p1 \"${x['$(p2)']}\"", "sh <<E\np1 ${x:-'$(p2)'}\nE", "p1 <<< \"${x:-'$(p2)'}\"", "A=\"${x:-'$(p2)'}\"", "p1 \"${x:?'$(p2)'}\"",
	"[[ \"${x:-'$(p2)'}\" ]]", "case \"${x:-'$(p2)'}\" in *) p1;; esac", "p1 \"${HOME%'$(p2)'}\"", "p1 \"${HOME^^'$(p2)'}\"",
	// An option before the command.
	"env - A=b p2", "env - p2", "env -i - p2", "time -p -- p2", "time -- p2", "ssh h -t p2 a", "ssh -t h -- p2", "ssh h -p 22 p2", "ssh -p 22 h p2", "eval -- p2 x", "eval -- 'p2 x'", "command -- p2", "command -p -- p2", "exec -- p2", "exec -a p1 p2", "builtin -- eval p2", "nice -n 5 p2", "nice -5 p2", "nice -- p2", "timeout -s KILL 5 p2", "timeout --sig KILL 5 p2", "timeout --fore 5 p2", "timeout 5 -- p2", "env -u A p2", "env --unset=A p2", "env --uns A p2", "env -- p2", "env -S 'p2 x'", "env -iS 'A=b p2'", "env --split-string='p2 x'", "env --sp 'p2 x'", "env --split='p2 x'", "env -S 'A=b #' p2", "env '-Sp2 x'", "env -S '-i PATH=/x p2'", "env -S 'p2\\_x'", "sudo -- p2", "sudo -u root -- p2", "sudo --us root p2", "t=-v; timeout \"$t\" 5 p2 a", "A=-i; env \"$A\" p2", "timeout \"$(echo -v)\" 5 p2 a", "env \"$(echo -i)\" LOG=$LOG PATH=$PATH p2 a", "ssh \"$(echo -t)\" h p2 a", "sudo \"$(echo -s)\" p2 a", "nice \"$(echo -n)\" 5 p2 a",
	// Shells that read standard input.
	"sudo -s <<< p2", "sudo -i <<E\np2 a\nE", "sudo --sh <<< p2", "su <<< p2", "su - root <<< p2", "ssh h <<E\np2 a\nE", "ssh -T h <<'E'\np2 a\nE", "echo p2 | ssh h", "{ su; } <<< p2", "sudo su <<< p2", "sudo -u x -s <<< p2", "su root -c 'p2 a'", "su -c'p2 a'", "su -c 'p2 a' root", "su -lc 'p2 a'", "su '-lcp2 a'", "su --comm='p2 a'", "su --comm 'p2 a' root", "su --c='p2 a'", "su root -- -c 'p2 a'", "sudo -s p2 a", "docker exec x sh -c 'p2 a'", "docker exec x bash -lc 'p2 a'", "docker exec x sh <<< 'p2 a'", "docker exec x env A=b sh -c 'p2 a'", "docker exec x sh -s <<< 'p2 a'", "sudo docker exec x sh -ec 'p2 a'", "docker exec x bash +c 'p2 a'", "docker exec x sh -e -c 'p2 a'", "docker exec x sh -- <<< 'p2 a'",
	"f() { sh; }; f <<< p2", "f() { . /dev/stdin; }; f <<E\np2\nE", "coproc sh <<< p2; wait", "coproc X sh <<< p2; wait", "docker exec x sh $(echo -c) 'p2 a'",
	// Options of shells.
	"sh +c 'p2 a'", "bash +c 'p2 a'", "bash -rcfile /dev/null -c 'p2 a'", "bash -norc -c 'p2 a'", "bash -co pipefail 'p2 a'", "bash -oc pipefail 'p2 a'", "bash -Oo extglob posix -c 'p2 a'", "bash -c -- 'p2 a'", "bash -c -e 'p2 a'", "bash --login -c 'p2 a'", "bash -s <<< 'p2 a'", "bash +s x <<< 'p2 a'", "bash -O extglob <<< p2", "bash -c 'p1 $0' p2", "bash -c '$0' p2", "sh -c '$1' x p2", "sh -c '\"$@\"' x p2", "bash -c '\"$@\"' _ p2 a", "bash -posix -c 'p2 a'", "bash --rcfile <(echo p2) -i", "bash -c p2\\ a",
	// Other inputs.
	". /dev/stdin <<< 'p2 a'", "source /dev/fd/0 <<< p2", ". /proc/self/fd/0 <<E\np2\nE", "exec <<< p2; sh", "exec <<E\np2\nE\nbash", "sh /dev/stdin <<< p2", "bash /dev/fd/3 3<<< p2", ". /dev/fd/3 3<<< p2", "source -- /dev/stdin <<< p2", "sh //dev/./stdin <<< p2", "cd /dev; sh stdin <<< p2", "exec 3<<< p2; sh <&3", "sh <<E\nexec <<< p2\nE", "bash <<E\nexec <<< p2\nE", ". <(echo p2)", "bash < <(echo p2)", "source <(echo p2)", "command . /dev/stdin <<< p2", "builtin source /dev/stdin <<< p2", "cat <<E | sh\np2\nE", "sh < /dev/stdin <<< p2", "eval \"$(cat)\" <<< p2", "eval \"$(</dev/stdin)\" <<< p2", "read x <<< p2; $x", "read x <<< p2; eval $x", "mapfile -C p2 -c 1 a <<< x", "mapfile '-Cp2 z' -c1 a <<< x", "readarray -c 1 -C 'p2 z' a <<< x",
	// Programs that replace text.
	"echo p2 | xargs -I{} sh -c '{}'", "echo p2 | xargs -I{} sh -c 'p1; {}'", "echo p2 | xargs -IX eval X", "echo p2 | xargs -I% {} %", "echo p2 | xargs -I% env % a", "echo A=b | xargs -I% env % p2 a", "echo -i | xargs -I% env % p2 a", "echo p2 | xargs -i sh -c {}", "echo p2 | xargs --replace=% sh -c %", "echo p2 | xargs --repl sh -c {}", "echo p2 | xargs --rep=Z sh -c Z", "echo p2 | xargs -n1 timeout 5", "echo p2 | xargs nice -n 5", "echo p2 | xargs -I{} bash -lc 'p1 {}'", "echo p2 | xargs", "echo p2 | xargs -- sh -c", "echo -c p2 | xargs bash", "echo 'p2' | xargs sh -c p1", "echo p2 | xargs -L1 sudo", "find . -maxdepth 0 -exec p2 {} \\;", "find . -maxdepth 0 -exec sh -c 'p2 {}' \\;", "find . -maxdepth 0 -exec env A={} p2 {} +", "find . -maxdepth 0 -ok p2 \\; <<< y", "echo x | xargs -I{} p2 {}", "echo x | xargs -t p2 a",
	// Arithmetic.
	"let 'a[$(p2)]'", "let a['$(p2)']=1", "[[ 'a[$(p2)]' -eq 1 ]]", "[[ -v 'a[$(p2)]' ]]", "x='a[$(p2)]'; ((x))", "x='a[$(p2)]'; echo $((x))", "x='a[$(p2)]'; [[ $x -eq 1 ]]", "x='a[$(p2)]'; [[ x -gt 1 ]]", "x='a[`p2`]'; let x", "x='a[$(p2)]'; echo ${HOME:x}", "x='a[$(p2)]'; echo ${y[x]}", "x='a[$(p2)]'; y[x]=1", "x='a[$(p2)]'; echo ${!x}", "x='a[$(p2)]'; declare -n r=$x; echo $r", "x='a[$(p2)]'; declare -i y=$x", "declare -i y; y='a[$(p2)]'", "RANDOM='a[$(p2)]'", "x='a[$(p2)]'; printf -v \"$x\" 1", "x='a[$(p2)]'; read \"$x\" <<< 1", "x='a[$(p2)]'; test -v \"$x\"", "x='a[$(p2)]'; [ -v $x ]", "x='a[$(p2)]'; unset \"$x\"", "for x in 'a[$(p2)]'; do ((x)); done", "for ((i='a[$(p2)]'; i<1; i++)); do p1; done", "read x <<< 'a[$(p2)]'; ((x))", "read x <<'E'\na[$(p2)]\nE\n((x))", "x=$(printf 'a[\\x24(p2)]'); ((x))", "x=$(printf 'a[\\044(p2)]'); ((x))", "x=$'a[\\x24(p2)]'; ((x))", "x=\"a[\\$(p2)]\"; ((x))", "x=a[\\$\\(p2\\)]; ((x))", "builtin let 'a[$(p2)]'", "command let 'a[$(p2)]'", "l''et 'a[$(p2)]'", "set -- 'a[$(p2)]'; (($1))", "f() { ((x)); }; x='a[$(p2)]' f", "getopts 'a' 'b[$(p2)]' -a", "x='a[$(p2)]'; sh -c 'echo $((x))'", "export x='a[$(p2)]'; bash -c 'echo $((x))'", "x='a[$(p2)]' bash -c '((x))'", "x='a[$(p2)]'; bash -c \"((x=\\$1))\" _ \"$x\"", "env x='a[$(p2)]' bash -c '((x))'", "exec {a[$(p2)]}>/dev/null", "wait -p 'a[$(p2)]'", "x='a[$'; y='(p2)]'; ((z=$x$y))", "mapfile -t 'a[$(p2)]' <<< x", "case $((x)) in *) ;; esac; x='b[$(p2)]'; ((x))", "x='a[${ p2; }]'; ((x))", "ulimit 'a[$(p2)]'", "shift 'a[$(p2)]'", "return 'a[$(p2)]'", "exit 'a[$(p2)]'", "x='a[$(p2)]'; declare 'y=([x]=1)'", "x='a[$(p2)]'; declare y[x]=1", "x='a[$(p2)]'; echo $[x]", "x=('a[$(p2)]'); ((x))", "typeset -i x='a[$(p2)]'", "local -i x='a[$(p2)]'", "x='a[$(p2)]'; [[ ${x} -lt 1 || y ]]", "OPTIND='a[$(p2)]'", "SECONDS='a[$(p2)]'", "LINENO='a[$(p2)]'", "HISTCMD='a[$(p2)]'", "test 'a[$(p2)]' -eq 1", "[ -t 'a[$(p2)]' ]", "printf %d 'a[$(p2)]'", "coproc a[0] { p1; }", "x='a[$(p2)]'; : ${y:=$((x))}", "IFS=0; x='a[$(p2)]'; echo ${x:x}", "echo ${x[$(p2)]}", "((x[$(p2)]))", "declare x[$(p2)]=1",
	// Text for sh.
	"sh -c 'p1 &>f p2 a'", "sh -c 'p1 &> f'", "sh -c \"p1 $'a\\'; p2 b #'\"", "sh <<'E'\np1 $'\\'; p2 b #'\nE", "sh -c '[[ a || p2 ]]'", "sh -c '[[ a || p2 b ]]'", "sh -c '[[ a =~ x|p2 ]]'", "sh -c '((p2||p1))'", "sh -c 'p4 $[1||p2||p3]'", "su -c \"p1 $'\\'; p2 b #'\"", "ssh h 'p1 &>f p2 a'", "sh -c 'p1 &>>f p2 a'", "sh -c 'eval \"p1 &>f p2 a\"'", "sh -c 'f() { p1 &>f; }; f'", "sh -c 'p1 {a,b}'", "sh -c 'function p2 { p1; }'", "sh -c 'p4 |& p2'", "sh -c 'time p2'", "sh -c 'a=(p2)'", "sh -c 'a+=(p2)'", "sh -c 'V=p1; V+=x; $V'", "sh -c 'select x in a; do p2; done'", "sh -c 'p1 <<< x; p2'", "sh -c 'p1 <(p2)'", "sh -c '[[ x -a p2 ]]'", "sh -c '[[ x ]] || p2'", "sh -c '&>f p2'", "sh -c 'case x in x) p1 ;& y) p2;; esac'", "sh -c 'echo ~+; p2'", "sh -c 'p1 $\"p2\"'", "sh -c '! p2'", "sh -c '{ p1; } &>f; p2'", "xargs -a /dev/null sh -c 'p1 &>f p2'", "sh -c 'coproc p2'", "sh -c 'p1 2&>f p2'", "sh -c 'echo @(a|p2)'", "sh -c 'echo !(p2)'", "sh -c 'for ((;;)) do p2; done'", "sh -c '{fd}>f p2'", "sh -c 'p1 $((1)) ; let p2=1'",
	// Variables.
	"V=p2; $V a", "V='p2 a'; $V b", "V='p2 a'; \"$V\" b", "V=; $V p2 a", "V=''; \"$V\" p2", "V=p1; V=p2; $V", "V=p2 && $V", "false && V=p1; $V p2", "true || V=p1; V=p2; $V", "(V=p1); $V p2 a", "V=p1; (V=p2); $V", "V=p1; { V=p2; }; $V", "V=p1; f() { V=p2; }; f; $V", "V=p1; if p1; then V=p2; fi; $V", "V=p1; if p4; then V=p1; else V=p2; fi; $V", "V=p1; while p4; do V=p2; done; $V", "V=p1; for i in a b; do $V; V=p2; done", "V=p1; for i in a; do V=p2; done; $V", "for V in p1 p2; do $V a; done", "for V in p1 p2; do :; done; $V", "for V in 'p2 x' p1; do $V a; done", "for V in p1; do V=p2; $V; done", "for V in {p1,p2}; do $V; done", "for V in p1 p2; do for W in a b; do $V $W; done; done", "for V in p1; do for V in p2; do $V; done; $V; done", "V=p1; read V <<< p2; $V", "V=p1; unset V; $V p2", "V=p1; eval V=p2; $V", "V=p1; eval 'V''=p2'; $V", "V=p1; export V=p2; $V", "V=p1; f() { local V=p2; $V; }; f; $V", "V=p1; IFS=1; V=p1p2; $V", "IFS=x; V=p2xa; $V", "V=p2xa; IFS=x; $V", "IFS=x read a; V='p2 a'; $V", "V=p1; printf -v V %s p2; $V", "V=p1; declare V=p2; $V", "V=p1; declare -n W=V; W=p2; $V", "declare -u V; V=p1; $V", "readonly V=p2; V=p1; $V", "readonly V=p2; V=p1\n$V", "echo $((1/0)); V=p1\n$V p2 a", "V=p2\necho $((1/0)); V=p1\n$V", "V=p1; : $((V=2)); p$V", "V=; echo ${V:=p2}; $V", "V=; p1 ${V:=p2} $V; $V", "V=p1 p1; $V p2", "V=p1; V=p2 :; $V", "V=p1; V=p2 eval '$V'", "V=p1; V=p2 f; $V", "f() { :; }; V=p1; V=p2 f; $V", "f() { $V a; }; V=p2; f", "V=p1; trap 'V=p2' DEBUG; $V", "V=p1; trap 'V=p2' USR1; $V", "V=p1; p1 | V=p2; $V", "V=p1; shopt -s lastpipe; p1 | V=p2; $V", "V=p1; p1 | read V <<< p2; $V", "V=p1; mapfile V <<< p2; $V", "V=p1; coproc V { :; }; $V p2", "V=(p1 p2); ${V[1]}", "V=p1; V=(p2); $V", "V=p1; V[0]=p2; $V", "V=p1; V+=2; $V", "V=p; V+=2; $V", "V=p1; getopts p V -p; $V", "V=p1; . ./file; $V", "V=p1; set -- p2; $1", "V=p1; case x in x) V=p2;; esac; $V", "V=p1; case x in x) V=p2;& *) $V;; esac", "V=p1; p4 || V=p2; $V", "V=p1; W=V; eval $W=p2; $V", "W=p2; V=$W; $V a", "W=p2; V=\"$W a\"; $V", "V=p2; sh -c $V", "V=p2; sh -c \"$V a\"", "V='p2 a'; eval $V", "V='p2 a'; eval \"$V\"", "V=p2; sh <<E\n$V a\nE", "V=p2; sh <<'E'\n$V a\nE", "V=p2; sh <<< \"$V a\"", "V='-c p2'; bash $V", "V='-c p2'; su $V", "V=-c; bash $V 'p2 a'", "V='-u root p2'; sudo $V a", "{ V=p2; sh; } <<E\n$V a\nE", "V=p1; { V=p2; sh; } <<E\n$V a\nE", "cd /; $PWD p2", "bash -c \"p1 $HOME\"", "p1 $HOME", "HOME=p2; $HOME a", "V=eval; $V 'p2 a'", "V=sh; $V -c 'p2 a'", "V='p*'; p1 $V", "V='a b'; p1 >$V; p2", "V=~; p1 $V", "V=~/x:~; p1 $V", "V=p2; ${V}", "V=p2; \"${V}\" \"$V\"x$V", "V=p2; $V$V", "V='p2 '; $V$V", "V=' p2 '; x$V a", "V=p1; alias V=p2; $V", "V=p1; while :; do $V; f 2>/dev/null; $V; f() { V=p2; }; [ $((i=i+1)) = 3 ] && break; done", "i=; while [ ${#i} -lt 3 ]; do i=x$i; for V in p1; do g 2>/dev/null; $V; done; g() { V=p2; }; done", "V=p1; f() { f2; $V; }; f2() { V=p2; }; f", "V=p1; export -f x; $V", "export -f f; f() { V=p2; }; export -f f; bash -c 'V=p1; f; $V'", "V=p1; until V=p2; do :; done; $V", "for V in p1 p2; do continue; done; $V a", "for i in 1 2; do [ $i = 2 ] && break; V=p2; done; $V a", "V=p1; for i in 1 2; do $V; [ $i = 1 ] && continue; V=p2; done", "V=p1; select V in p2; do break; done <<< 1; $V", "_=p1; $_ p2", "p1 p2; $_", "V=p1; V= ; $V p2", "V=p1 W=$V; $W p2", "V=p2 W=$V; $W", "V=p1; exec {V}>/dev/null; $V p2", "LINENO=p2; $LINENO a", "V=p1; wait; $V", "V=p1; ((V=2)); p$V", "for ((V=1; V<3; V++)); do p$V; done", "V=p1; let V=2; p$V", "V='p2;p3'; $V", "V='p2;p3'; eval $V", "V='$(p2)'; eval p1 $V", "V='`p2`'; p1 $V", "V=\"$(echo p2)\"; $V", "set -k; p1 V=p2; $V", "V=p1; test -v V && V=p2; $V", "V=p1; ! V=p2; $V", "time V=p2; $V", "V=p1; V=p2 & wait; $V", "V=p1; (V=p2; $V); $V", "V=p2; (V=p1; $V); $V", "V=p1; x=$(V=p2); $V", "V=p1; cat <(V=p2); $V", "V=p2; x=$($V a)", "V=p2; cat <($V a)",
	// What else runs text.
	"PS4='$(p2)'; set -x; p1", "PS4='`p2`' bash -xc p1", "env PS4='$(p2)' bash -xc p1", "export PS4='$(p2)'; bash -xc p1", "BASH_ENV='$(p2)' bash -c p1", "BASH_ENV=<(echo p2) bash -c p1", "ENV='$(p2)' sh -ic p1", "env 'BASH_FUNC_p1%%=() { p2; }' bash -c p1", "export 'BASH_ENV=$(p2)'; bash -c p1", "compgen -W '$(p2)'", "compgen -C p2 x", "compgen -C 'p2 z' x", "hash -p ./p2 p1", "jobs -x p2 a", "BASH_ALIASES[p1]=p2", "shopt -s expand_aliases\nalias p1=p2\np1", "shopt -s expand_aliases\nalias x='p2 a'\nx", "shopt -s expand_aliases\nalias x='p1 '\nalias y=p2\nx y", "trap p2 EXIT", "trap -- 'p2 a' EXIT", "trap 'p2 a' 0", "f() { p2 a; }; f", "f() { \"$@\"; }; f p2 a", "f() { $1; }; f p2", "command eval 'p2 a'", "builtin eval 'p2 a'", "command command p2", "command exec p2", "exec -c p2", "exec -l p2", "command_not_found_handle() { p2; }; nothing", "PROMPT_COMMAND='p2 a' bash -i <<< p1", "coproc p2 a; wait", "coproc X { p2 a; }; wait", "p1 & p2", "! p2", "if ! p2; then :; fi", "p1 $(p2) `p3`", "p1 \"$(p2 \"$(p3)\")\"", "x=$(p2)", "x[$(p2)]=1", "echo ${x:-$(p2)}", "echo $(( $(p2) + 1 ))", "cat < <(p2)", "p1 >(p2)", "p1 > $(p2)", "cat <<E\n$(p2)\nE", "cat <<E\n`p2`\nE", "cat <<\"E\"\n$(p3)\nE\np2", "cat <<E; p2\nx\nE", "$(which p2) a", "$(which nothing) p2 a", "$(which nothing) 'p2' a", "which() { echo p2; }; $(which p1)", "\"$(which p2)\" a", "$(command -v p2) a", "$(command -v eval) 'p2 a'", "$(command -v nothing) p2 a", "p1() { p3; }; $(command -v p1) p2", "$(type -P p2) -a", "eval \"$(echo p2 a)\"", "p1 a=b p2", "case $(p2) in x) p3;; esac", "[[ $(p2) = x ]]", "until p2; do p3; done", "p1 >&2 | p2 |& p3", "p1 \\\n a; p\\\n2 b", "'p2' a", "\"p2\" a", "p\\2 a", "$'p2' a", "$\"p2\" a", "p1;p2", "{ p1;p2;}", "p1\\;p2", "p1 'a'\"b\"c\\ d", "p1 $'a\\x41\\101\\u41\\n'", "p1 a{b,c}{1..3}d", "p1 {a..c}", "p1 {,a}", "p1 \"{a,b}\" {a", "if p1; then p2; elif p3; then :; fi", "PATH=$PATH p2", "nice timeout 5 env p2 a", "timeout 5 bash -c 'p2 a'", "p1 $(cat <<E\n$(p2)\nE\n)", "p1 \"`p2 \\`p3\\``\"", "p1 \"`p2 \\\"a b\\\"`\"", "bash -c \"bash -c \\\"p2 'a b'\\\"\"",
	// Programs from pipes.
	"echo 'p2 a' | sh", "printf 'p2 a\\n' | sh", "printf '%s\\n' 'p2 a' | bash -s", "printf '%s\\n' p2 p3 | sh", "echo -n p2 | sh", "echo -e 'p2' | sh", "echo -e 'p1\\np2' | sh", "for i in 1 2; do printf 'p1;p'; done | sh", "echo p2 | { read -N1 x; sh; }", "echo xp2 | { read -N1 x; sh; }", "{ read -n1 x; sh; } <<E\nxp2\nE", "{ head -c1; sh; } <<< xp2", "f() { read -n1 x; sh; }; f <<< xp2", "f() { sh; }; echo p2 | f", "f() { read -N1 x; sh; }; echo xp2 | f", "echo p2 | (p1; sh)", "echo p2 | env sh", "echo 'p2 a' | sudo sh", "echo 'p2 a' | ssh h", "echo p2 | cat | sh", "{ echo p1; echo p2; } | sh", "(echo p2) | sh", "echo p2 > f | sh", "echo p2 | sh <<< p1", "echo() { p2; }; echo p1 | sh", "echo p2 | while read x; do $x; done", "echo p2 | . /dev/stdin", "echo p2 | bash /dev/stdin", "echo \"p2 $!\" | sh", "printf p2 | sh; printf 'p3 ' | bash", "printf 'p%s' 2 | sh", "printf 'p%d' 2 | sh", "printf '%s' p 2 | sh", "printf '\\160\\62' | sh", "printf -- p2 | sh", "echo -E p2 | sh", "echo -nn p2 | sh", "echo - p2 | sh", "echo '-n' 'p2' | sh", "if p1; then echo p2; fi | sh", "echo p2 | tee f | sh", "head -c1 <<< xp2 | sh", "bash -s \"$(head -c1)\" <<< xp2",
	"p1 $(cat <<E\nx\nE\np2; p3)", "p1 \"$(cat <<'E'\nx\nE\n\np2; p3\n)\"", "p1 <(cat <<E\nx\nE\np2; p3)", "p1 `cat <<E\nx\nE\np2; p3`", "p1 $(cat <<E\nx\nE\np2 && p3)", "p1 $(if p1; then cat <<E\nx\nE\np2; p3; fi)", "p1 $(cat <<E; p2; p3\nx\nE\n)", "p1 $(p2; p3; cat <<E\nx\nE\n)", "p1 $(cat <<E\nx\nE\np2 & p3)", "f() { p1 $(cat <<E\nx\nE\np2; p3); }; f", "p1 $(for i in a; do cat <<E\nx\nE\ndone; p2; p3)",
	// Names and texts with unknown parts.
	"V=$PATH; \"$V/p2\" a", "V=$PATH; $V/p2 a", "V='p2 '$PATH; $V/p1 a", "V=$PATH; sudo \"$V/p2\" a", "V=$PATH; \"$V\"/p2 a", "V=$PATH; \"$V/bash\" -c 'p2 a'", "V=$PATH; env \"$V/p2\" a", "p1 & trap \"p2 $!\" EXIT", "x=$!; bash -c \"x=p2; $x a\"", "x=$(mktemp -u); bash -c \"p1 $x; p2\"", "x=$(mktemp -u); trap \"p2 $x\" EXIT", "x=$$; eval \"p2 $x\"", "x=$?; x=p2; sh -c \"$x a\"", "x=\"p2 $?\"; sh -c \"$x\"", "x=$?; x+=';p2'; sh -c \"p1 $x\"", "x=$?; if p1; then x='a;p2'; fi; sh -c \"p1 $x\"", "x=$?; f() { x='a;p2'; }; f; sh -c \"p1 $x\"", "mktemp() { echo 'a;p2'; }; sh -c \"p1 $(mktemp)\"", "x=$?; for x in 'a;p2'; do sh -c \"p1 $x\"; done", "x=$?; read x <<< 'a;p2'; sh -c \"p1 $x\"", "x=$#; sh -c \"p1 $x\"; set -- p2; sh -c \"p1 $#\"", "x=p; y=$?; sh -c \"$x$y\"", "x=$?; sh -c \"p$(($x+2))\"", "x=$?; sh -c \"p1 ${x}; p2\"", "x=$?; sh -c \"p1 \"$x\"; p2\"", "npx p2 a", "npx -y p2 a", "echo p2 | xargs npx -y", "docker exec x p2 a", "docker exec x sudo p2 a", "docker exec -i x sh <<< 'p2 a'", "find . -maxdepth 0 -exec npx -y p2 {} \\;",
	// Substitutions that print known text.
	"$(echo p2) a", "Vx=p2; V=p1; {p1,$V}x a", "V2=p2; $V{2,3}", "V=p2; {a,$}V b", "$(echo p2 a) b", "\"$(printf %s p2)\" a", "$(printf '%s\\n' 'p2 a')", "$(cat <<E\np2 a\nE\n)", "\"$(cat <<'E'\np2\nE\n)\" a", "x=$(echo p2); $x a", "sh -c \"$(cat <<'E'\np2 a\nE\n)\"", "eval \"$(echo 'p2 a')\"", "V='p2 a'; $(echo $V)", "echo() { printf p2; }; $(echo p1)", "printf() { echo p2; }; $(printf %s p1)", "cat() { echo p2; }; $(cat <<E\np1\nE\n)", "$(echo p1); echo() { printf p2; }; $(echo p1)", "for i in 1 2; do $(echo p1); echo() { printf p2; }; done", "for i in 1 2; do $(echo p1); eval 'ec''ho() { printf p2; }'; done", "f() { $(echo p1); }; f; echo() { printf p2; }; f", "eval 'echo() { printf p2; }'; $(echo p1)", "shopt -s expand_aliases\nalias echo='echo p2; :'\n$(echo p1)", "printf '#!/bin/sh\\necho p2' > cat; PATH=.:$PATH; $(cat <<E\np1\nE\n)", "IFS=1; $(echo p2 1a)", "$(echo 'p\\062')", "$(echo -e 'p\\062')", "$(echo -n p2) a", "$(echo '' p2)", "p1 \"$(echo 'a' \"b  c\")\"", "$(echo {p2,a})", "$(echo p?)", "cat <<E | sh\n$(echo p2)\nE", "sh <<E\n$(echo p2)\nE", "$(echo \"$(echo p2)\") a",
	"cat <<E\nx\nE\np2", "cat <<E\np2", "cat <<E\n$(p2)", "sh <<E\np2", "sh <<E\np2 \\", "sh <<'E'\np2 a\\\nb", "x=$(cat <<E\n$(p2))", "sh <<-E\n\tp2", "sh <<E; p1\np2", "cat <<A; sh <<B\nx\nA\np2", "p1 \"$(sh <<E\np2\n)\"", "sh -c 'sh <<E\np2'", "`sh <<E\np2\n`", "sh <<\"E F\"\np2", "cat <<-E\n\tp3\n\tE\np2", "sh <<-E\n\tp2\n\tE", "sh <<-E\n\tcat <<F\n\tF\n\tp2\nE", "sh <<'E F'\np2\nE F\np3", "sh <<E$x\np2\nE$x\np3", "sh <<E <<F\np1\nE\np2\nF", "sh <<F 3<<E\np1\nF\np2\nE",
}
