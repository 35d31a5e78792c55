package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// newZshLab returns a lab in which zsh runs the texts.
func newZshLab(t *testing.T) *lab {
	t.Helper()
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skipf("zsh is missing: %v", err)
	}
	l := newLab(t, "sh")
	l.shell = []string{zsh, "-fc"}
	if err := os.Symlink(zsh, filepath.Join(l.bin, "zsh")); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestZsh runs texts with zsh: each program that runs must be listed, or the text is
// refused (D97).
func TestZsh(t *testing.T) {
	testenv.Long(t)
	l := newZshLab(t)
	for _, text := range hiding {
		l.check(t, text)
	}
	for _, text := range zshTexts {
		l.check(t, text)
	}
	count := 40
	if n, err := strconv.Atoi(os.Getenv("SHELL_TEXTS")); err == nil {
		count = n
	}
	for i := range count {
		g := generator{Rand: rand.New(rand.NewPCG(97, uint64(i)))}
		if l.check(t, g.list()); t.Failed() {
			t.Fatal(fmt.Sprint("text ", i))
		}
	}
	t.Logf("%d programs ran", l.runs)
}

var zshTexts = []string{
	"x='p2 a'; $=x", "x='p2 a'; ${=x}", "x='p2 a'; \"$=x\"", "x='p2 a'; p1 \"${=x}\"", "x='x p2'; eval $=x", "x='p?'; $~x a", "x=/a/p2; $x:t b", "x=/a/p2; \"$x:t\" b", "x=P2; $x:l", "x=p1; $x:s/1/2/ a", "x=p1; sh -c \"$x:s/1/2/ a\"", "x=p1; sh <<E\n$x:s/1/2/ a\nE", "x=ap2b; $x[2,3] c", "x=ap2b; \"$x[2,3]\" c", "x=p2/z; $x:h a", "x=(p2 a); $x", "x=(p1 p2); $x[2]",
	"x='$(p2)'; : ${(e)x}", "x='$(p2)'; p1 \"${(e)x}\"", "x=y; y=p2; ${(P)x} a", "x='p2 a'; ${(z)x}", "x='p2 a'; ${(s: :)x}", "p1 *(e:'p2 a':)", "p1 .(e:'p2 a':)", "p1 *(+p2)", "p2() { p3 a; }; p1 .(+p2)", "p1 =(p2)", "=p2 a", "functions[f]='p2 a'; f", "functions+=(f 'p2 a'); f", "aliases[f]='p2 a'\nf", "aliases+=(f 'p2 a')\nf", "alias -g G='; p2'\np1 G", "alias -s x=p2\na.x", "alias f='p2 a'\nf", "galiases[G]='; p2'\np1 G", "saliases[x]=p2\na.x", "commands[f]=$PATH/p2; f a", "hash f=$PATH/p2; f a",
	"repeat 2 p2 a", "repeat 2 { p2 a }", "for x (a b) p2 $x", "foreach x (a b) p2 $x; end", "for x in a b; { p2 }", "if (true) p2", "if [[ 1 ]] { p2 }", "while (p4) p2", "{ p4 } always { p2 }", "() { p2 $1 } a", "function { p2 }", "function f g { p2 }; f", "f() p2; f", "noglob p2 a", "nocorrect p2 a", "- p2 a", "command p2", "emulate sh -c 'p2 a'", "emulate zsh -c 'p2 a'", "p1 &! p2", "p1 &| p2", "coproc p2 a; wait", "coproc p2 a | p3; wait", "coproc X { p2 a }; wait", "coproc p2 { a }; wait",
	"NULLCMD=p2; > f", "READNULLCMD=p2; < /dev/null", "NULLCMD=p2 > f", "p1 <1-5>", "p1 > f > g | p2", "p1 $(<f) | p2", "cat <<< $=x; p2", "x=p; ${x}2 a", "x=1; p$((x+1)) a", "x=a; p1 ${x:-$(p2)}", "x=p2; ${${x}} a", "x=p2a; ${x%a} b", "${:-p2} a", "${:-p}2 a", "x=p2; ${x:-y} a", "x=P2; ${(L)x} a", "print -z p2", "eval 'p2 a'", "zmodload zsh/sched; sched +0 p2", "TRAPEXIT() { p2 }", "zshexit() { p2 }", "zshexit_functions=(f); f() { p2 }", "trap p2 EXIT", "x=p2; { $x }", "{ p2 }", "{ p2 a } ; { p3 }", "(p2)", "p1 {p2,p3}", "echo p2 | sh", "echo 'p2 a' | zsh", "zsh -c 'p2 a'", "zsh -fc 'x=\"p2 a\"; $=x'", "zsh <<< p2", "setopt shwordsplit; x='p2 a'; $x", "setopt sh_word_split\nx='p2 a'; $x", "set -y; x='p2 a'; $x", "setopt ignorebraces\np1 }; p2", "setopt cshjunkiequotes\np2", "setopt ksharrays; x=(p2 a); $x", "setopt globsubst; x='p[2]'; $x", "autoload -X f", "print -P '%F{red}'; p2", "setopt promptsubst; print -P '$(p2)'", "x='$(p2)'; setopt promptsubst; : ${(%)x}", "p1 # x\np2", "p1 a#b; p2", "p1 'a' \\\n b; p2", "case x in (x) p2;; esac", "case x { x) p2 ;; }", "select x in a; p2 <<< 1", "p1 *~p2; p3", "p1 ^x; p2", "p1 (p2)", "p1 a(p2)", "p1 @(p2); p3", "x[1]=p2; $x a", "x=abc; x[1]=p2; $x", "typeset -A x; x[a]=p2; $x[a]", "typeset x=p2; $x", "typeset -T X x=p2; $x", "local x=p2; $x", "integer x=2; p$x", "float x", "read x <<< p2; $x", "read -A x <<< 'p2 a'; $x", "vared x", "let x=2; p$x", "((x=2)); p$x", "x=p2 eval '$x a'", "print p2 | zsh -s a", "where p2; which p2", "$(which p2) a", "whence -p p2", "exec -a x p2 a", "p1 | tee >(p2)", "p1 >&p2", "p1 |& p2", "time p2", "! p2", "- - p2", "builtin eval p2", "p1 \"$(p2)\" $[1+1]", "p1 `p2`", "disable p1; p2", "unset x; ${x:=p2} a", "${x::=p2} a", "x=p2 ; $x$y a", "$x p2 a", "$x$y p2", "x=; $x p2", "x=''; \"$x\" p2", "p1 ${(f)$(p2)}", "p1 ${\"$(p2)\"}", "p1 $(( $(p2) ))", "p1 $((p2)) ", "fc -p; p2", "ztcp x; p2", "a=(p1 p2); for x in $a; do $x; done", "a='p1 p2'; for x in $a; do $x; done", "a='p1 p2'; for x in ${=a}; do $x; done", "a=p2; for x in $a:u; do $x; done", "x='p1;p2'; eval $x", "x='p1\np2'; eval $x", "x='p1 p2'; sh -c $x", "x='a b'; p1 $x; p2", "x='-c p2'; sh $x", "x='-c p2'; sh $=x", "x=-c; sh $x p2", "sh -c 'x=p2; $x'", "x='*'; p1 $x; p2", "x='p2 a' y=$x; $=y",
}
