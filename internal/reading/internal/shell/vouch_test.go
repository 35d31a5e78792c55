package shell

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// allowed is the pattern of an allow that an attacker wants to get past.
var allowed = regexp.MustCompile(`\A(?:git status( -s| --short)?|ls( .*)?|cat( .*)?|npm test|go test \./\.\.\.|echo( .*)?|printf( .*)?|test( .*)?|\[( .*)?|true|false|:|pwd)\z`)

// vouchedTexts are everyday texts that an allow vouches for.
var vouchedTexts = []string{
	"git status", "git status --short", "ls", "ls -la", "ls src/*.go", "cat README.md", "cat a b | cat", "npm test", "go test ./...", "  git   status  ", "\ngit status\n\nls\n", "git status;", "git status; ls",
	"git status && npm test || echo 'failed'", "ls 2>/dev/null", "ls -l 2>&1 | cat", "ls >/dev/null 2>&1", "cat < /dev/null", "cat \"my file\" 'it is'", "cat 'a b'*", "cat \"say \\\"hi\\\" for \\$5\"", "cat a\\ b", "cat a\\(1\\).txt", "cat 'x=$(id)'", "cat '`id`'", "cat '<(id)'", "cat '{a,b}'",
	"echo done", "printf '%s\\n' a b", "printf 100%% ", "test -f go.mod && cat go.mod", "[ -f go.mod ] && cat go.mod", "[ a = b ] || true", ":", "true && pwd", "cat 'naïve'", "cat -- x", "cat a\\.b", "cat a:b a=b a,b a@b a+b a%b", "cat HEAD~1", "cat HEAD^", "cat HEAD~2..main^2", "cat HEAD^^:a", "ls -- *.go", "cat 'it'\\''s'", "git status\nnpm test", "ls &&\nls", "ls |\ncat", "cat 'a\\d'",
}

// smuggling are texts that try to run something else, that shells read
// differently, or that say too little.
var smuggling = []string{
	"", " ", "\n", ";", "# git status", ">/dev/null", "<x", "x=1", "x=1 git status", "PATH=. git status", "GIT_PAGER=id git status", "git status x", "git -c alias.status=x status", "git  status-x", "git stat\\us", "Git status", "git Status", "gi't' status", "'git' status", "\"git\" status", "g\\it status", "\\git status", "./git status", "/tmp/git status", "~/git status", "$HOME/git status", "npm test2", "npm  test -- x", "go test ./... -exec id", "go test ./...x",
	// Expansions.
	"ls $(id)", "ls `id`", "ls \"$(id)\"", "ls \"`id`\"", "ls $x", "ls ${x}", "ls \"$x\"", "ls ${x:-$(id)}", "ls $((1))", "ls $[1]", "ls $'a'", "ls $\"a\"", "ls $", "ls \"$\"", "ls a$", "ls <(id)", "cat <(id)", "cat >(id)", "cat < <(id)", "cat =(id)", "ls ${ id; }", "ls ${| id; }", "ls $1", "ls $@", "ls \"${x@P}\"", "ls ~", "ls ~root", "ls ~+", "ls ~1", "cat a=~/x", "cat x:~", "ls ~[x]", "ls {a,b}", "ls {1..9}", "ls a{b", "ls }", "ls {}", "ls {a,$(id)}", "ls a{,b}",
	"cat [", "cat b[ c]", "cat a[1]", "cat ]x", "ls *", "ls ?", "ls [ab]", "ls -*", "ls '-'*", "ls \\-*", "ls ''*", "ls \"\"?", "*", "l?", "/bin/l*", "ls*", "cat a*(e:'id':)", "ls *(e:'id':)", "ls a*(+id)", "ls a(id)", "ls *(.)", "ls @(a|b)", "ls !(a)", "ls +(a)", "ls a#", "ls a^b", "ls ^a", "ls a*~b", "cat HEAD~x", "cat a*~1", "cat ~1", "cat a:~1", "cat ^1", "ls (#qe:'id':)", "ls a(#i)", "ls **(D)", "ls a[$(id)]", "ls a[`id`]", "cat a~b",
	"=ls", "ls =id", "cat a==id", "cat a:=id", "ls -a==id", "echo =(id)", "ls %1", "%1", "ls %self",
	// Operators and compound commands.
	"git status & id", "git status &", "git status && id", "git status || id", "git status; id", "git status\nid", "git status | id", "git status |& cat", "git status |& id", "git status &| id", "git status &! id", "git status ;; id", "git status; ; id", "(git status)", "{ git status; }", "( id )", "! git status", "time git status", "if ls; then id; fi", "if true; then ls; fi", "for i in a; do ls; done", "for i in a; do id; done", "while true; do ls; done", "until ls; do id; done", "case x in x) ls;; esac", "select x in a; do ls; done", "[[ -f x ]] && ls", "[[ -v 'a[$(id)]' ]]", "((1)) && ls", "((a[$(id)]))", "f() { id; }; ls", "ls() { id; }; ls", "function ls { id; }; ls", "git status() { id; }", "coproc ls", "coproc id", "repeat 3 ls", "repeat 2 id", "foreach x (a) id; end", "- id", "- ls", "noglob ls", "nocorrect ls", "command ls", "builtin echo x", "exec ls", "eval ls", "eval id", "begin; ls; end", "and ls", "or ls", "not ls", "always ls", "ls; { id } always { id }", "then ls",
	// Redirections.
	"ls > x", "ls >> x", "ls >| x", "ls < x", "ls <> x", "ls &> x", "ls &>/dev/null", "ls &>/dev/null id", "ls >& x", "ls >&/dev/null", "ls > /dev/tcp/h/1", "ls > /dev/null2", "ls > /dev/nul'l'", "ls > /dev/../etc/x", "ls > \"/dev/null\"", "ls >$(id)", "ls > `id`", "ls {fd}>/dev/null", "ls 3>/dev/null", "ls 2>&3", "ls 10>/dev/null", "ls 2>&-", "ls 2>&1x", "ls 2>&$x", "ls 2>&\"1\"", "ls>/dev/null", "ls a2>/dev/null", ">/dev/null ls", "2>&1 ls", "ls <<E\nx\nE", "cat <<E\n$(id)\nE", "cat <<'E'\nx\nE", "cat <<< x", "cat <<<$(id)", "cat <<-E\n\tE", "ls >!x", "ls >> /etc/passwd", "echo x >.git/config", "cat <&0", "ls >/dev/null>x", "ls 2>&1>x",
	// Comments, characters and ends of lines.
	"ls # x", "ls #", "#\nls", "ls # \\\nid", "ls a#b", "ls \\\nid", "l\\\ns", "ls \\", "ls\r", "ls\r\nid", "ls \rid", "ls\tid", "ls\x00", "ls\x00;id", "ls \x1b[2Jid", "ls \x03", "ls \x04", "ls\x0bid", "ls\x0cid", "ls \x7f", "ls\u00a0id", "ls\u2028id", "ls\u2029id", "ls\u0085id", "ls\u3000id", "ls 'a\u00a0b'", "ls '\u202e'", "ls '\u200b'", "ls \ufeff", "\ufeffls", "ls \xff", "ls '\xc3'", "ls \xa0", "ls é", "lś", "ls 'é' \\a", "ls \"é\\\\\"", "ls 'a\nb'", "ls \"a\nb\"", "cat '\n^ls^id'", "ls !!", "ls !id", "ls '!x'", "ls \\!x", "ls \"!x\"", "!ls", "^ls^id", "ls 'a\tb'", "ls; \\\n id", "ls ；id", "ls ＆＆ id", "ls ‘x’",
	// What shells quote differently.
	"ls 'a\\'", "ls 'a\\' 'b; id; ls '", "ls 'a\\\\'", "ls 'a''b'", "ls \\x3b", "ls \\n", "ls \\a", "ls \"\\`id\\`\"", "ls \\`id\\`", "ls \"a\\", "ls 'a", "ls \"a", "ls \\#", "ls \\~", "ls \\{a,b\\}", "ls \\^", "ls \\=id", "ls \\%1", "cat \"\\\\\\`\"",
	// Builtins, and programs that run others.
	"cd x && git status", "/tmp; npm test", "./x; git status", "/tmp", "cd /tmp; npm test", "pushd x && ls", "export PATH=.; ls", "export PATH", "declare -x A=b; ls", "alias ls=id; ls", "alias ls=id\nls", "unalias ls; ls", "unset PATH; ls", "set -x; ls", "hash -p /tmp/x ls; ls", "enable -n echo", "source x; ls", ". x", ". ./x; ls", "trap id EXIT; ls", "umask 0; ls", "ulimit -t 1; ls", "exit", "type ls", "which ls", "kill 1", "read x", "mapfile x", "let x=1", "local x", "typeset x", "readonly x", "shift", "wait", "jobs", "fg", "bg", "history", "fc -s", "r", "zmodload x", "autoload ls; ls", "emulate sh", "print ls", "setopt x; ls", "string x", "set_color x", "abbr a b", "functions -c id ls; ls", "bind x",
	"sudo ls", "env ls", "env X=1 ls", "nohup id", "xargs ls", "ls | xargs id", "ls | xargs cat", "ls | xargs -I{} cat {}", "find . -exec id \\;", "timeout 5 id", "sh -c ls", "sh -c id", "bash x", "echo id | sh", "printf id | bash", "cat x | sh", "ls | sh", "busybox ls", "nice ls", "watch ls", "parallel ls", "ssh h ls", "command -v ls", "doas ls", "zsh -c ls", "fish -c ls",
	"test -v 'a[$(id)]'", "[ -v 'a[$(id)]' ]", "test 'a[$(id)]' -eq 1", "[ 'a[$(id)]' -eq 1 ]", "[ -t 'a[$(id)]' ]", "[ 1 -eq PATH=1 ]", "test -R x", "test a -nt b", "test x -a y", "test x -o y", "test a*", "[ -f a* ]", "[ -f x", "[", "[ -o x ]", "[ a == b ]",
	"printf -v PATH .", "printf -v 'a[$(id)]' x", "printf '-v' x y", "printf %d 'a[$(id)]'", "printf %n x", "printf '%(x)T' 1", "printf %*s 5 x", "printf '%1$s' x", "printf", "printf a*", "printf %s a*", "printf \"%d\" PATH=1", "printf '%%%d' 'a[$(id)]'", "printf %c x", "printf %q x", "printf %x 'x[$(id)]'",
}

// matchesText returns a match of the texts of lines, whose globs are texts.
func matchesText(match func(string) bool) func(Invocation) bool {
	return func(l Invocation) bool { return match(l.String()) }
}

// TestVouch tries to smuggle commands past an allow.
func TestVouch(t *testing.T) {
	for _, text := range vouchedTexts {
		if err := Vouch(text, true, matchesText(allowed.MatchString)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range smuggling {
		if err := Vouch(text, true, matchesText(allowed.MatchString)); err == nil {
			t.Errorf("%q is vouched for", text)
		}
	}
	t.Logf("%d texts are vouched for, %d are not", len(vouchedTexts), len(smuggling))
}

// TestVouchAny refuses, whatever the pattern accepts.
func TestVouchAny(t *testing.T) {
	pattern := map[string]bool{"git status x": true, "git  status-x": true, "Git status": true, "git Status": true, "./git status": true, "/tmp/git status": true, "npm test2": true, "npm  test -- x": true, "go test ./... -exec id": true, "go test ./...x": true, "git -c alias.status=x status": true,
		"git status && id": true, "git status || id": true, "git status; id": true, "git status\nid": true, "git status | id": true, "always ls": true, "sudo ls": true, "env ls": true, "nohup id": true, "ls | xargs id": true, "find . -exec id \\;": true, "timeout 5 id": true, "sh -c ls": true, "sh -c id": true, "bash x": true, "busybox ls": true, "nice ls": true, "watch ls": true, "ssh h ls": true, "doas ls": true, "echo id | sh": true, "printf id | bash": true}
	for _, text := range smuggling {
		err := Vouch(text, true, func(Invocation) bool { return true })
		if (err == nil) != pattern[text] && err == nil {
			t.Errorf("%q is vouched for by any pattern", text)
		}
	}
}

// TestVouchTime bounds the time for hostile texts.
func TestVouchTime(t *testing.T) {
	for _, unit := range []string{"ls;", "ls&&", "ls|", "ls\n", "(", "[", "{", "'", "\"", "\\ ", "a", "a*", "a[", "ls a ", "$(", "`", "ls 'a' ", "ls 'a'\"b\"", "-", "=", "<", "ls 2>&1 "} {
		for _, prefix := range []string{"", "ls ", "ls \"", "[ "} {
			text := prefix + strings.Repeat(unit, (maxVouched-len(prefix)-2)/len(unit)) + "ls"
			begin := time.Now()
			_ = Vouch(text, true, func(Invocation) bool { return true })
			if d := time.Since(begin); d > 20*time.Second {
				t.Errorf("%.20q takes %v", text, d)
			}
		}
	}
}
