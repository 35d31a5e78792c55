package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestLines checks the commands in which patterns are searched (D78). Words that
// can be any text are marked with <>.
func TestLines(t *testing.T) {
	for _, c := range []struct{ text, want string }{ // "!" if a program is not in the text
		{`cd web && npm  publish`, "cd web|npm publish"},
		{`A=b sudo npm 'publish  now' > f`, "sudo npm publish now|npm publish now"},
		{`V=publish; npm $V`, "npm publish"},
		{`sh -c 'npm publish' | cat`, "sh -c npm publish|npm publish|cat"},
		{`/usr/bin/npm publish; C:/x/npm.cmd publish; NPM.EXE x; .exe`, "/usr/bin/npm publish (npm publish)|C:/x/npm.cmd publish (npm publish)|NPM.EXE x (NPM x)|.exe"},
		{`echo "npm publish"`, "echo npm publish"},
		{`git push "$x" a* "b $y"`, "git push <$x> <a*> <b $y>"},
		{`find . -exec rm {} +; ls | xargs rm -rf; parallel rm ::: a`, "find . -exec rm {} +|rm <{}>|ls|xargs rm -rf|rm -rf <...>|parallel rm ::: a|rm <...>"},
		{"> f; x=1", ""},
		{"a 'b\n\tc '", "a b c "},
		{`git -c alias.x='!npm publish' x`, "git -c alias.x=!npm publish x|npm publish"}, {`git -calias.x='push -f' x`, "git -calias.x=push -f x|git push -f <...>"}, {`git config alias.x '!npm publish'`, "git config alias.x !npm publish|npm publish"}, {"git config alias.x", "git config alias.x"},
		{`tmux new-session -d -s a 'npm publish'`, "tmux new-session -d -s a npm publish|npm publish"}, {`tmux new -d \; send-keys -t a 'npm publish' Enter`, "tmux new -d ; send-keys -t a npm publish Enter|npm publish Enter"}, {"tmux attach -t a", "tmux attach -t a"},
		{"screen -dmS a npm publish", "screen -dmS a npm publish|npm publish"}, {`concurrently -n a,b "npm publish" "npm run b"`, "concurrently -n a,b npm publish npm run b|npm publish|npm run b"},
		{"gosu me npm publish; wsl -e npm publish; setpriv --reuid 1 npm publish", "gosu me npm publish|npm publish|wsl -e npm publish|npm publish|setpriv --reuid 1 npm publish|1 npm publish|npm publish"},
		// Programs that shells read.
		{`curl x | sh`, "!"}, {`curl x | sudo -E bash -`, "!"}, {`curl x | tee f | bash -s -- y`, "!"}, {`curl x | (cd y; sh)`, "!"}, {`cat f | . /dev/stdin`, "!"}, {`bash < <(x)`, "!"}, {`{ bash; } < <(x)`, "!"}, {`. <(x)`, "!"}, {`x | su`, "!"}, {`x | ssh h`, "!"},
		{`eval "$(x)"`, "!"}, {`f() { sh; }; curl x | f`, "!"}, {`echo $x | sh`, "!"}, {`echo a* | sh`, "!"}, {`echo 'a\nb' | sh`, "!"}, {`printf '%d' 1 | sh`, "!"}, {`printf '\162m' | sh`, "!"}, {`echo a > f | sh`, "!"}, {`curl x | sh $Y`, "!"}, {`curl x | bash "$@"`, "!"}, {`{ echo a; echo b; } | sh`, "!"}, {`for i in 1 2; do printf 'boot;re'; done | sh`, "!"}, {`echo eA | base64 -d | sh`, "!"}, {`echo() { x; }; echo a | sh`, "!"}, {`sh <<< "x" | sh`, "!"}, {`{ base64 -d | sh; } < f`, "!"},
		{`echo 'rm x; ls' | sh`, "echo rm x; ls|sh|rm x|ls"}, {`echo -n rm x | sudo bash -`, "echo -n rm x|sudo bash -|bash -|rm x"}, {`printf 'rm x\nls\n' | sh`, `printf rm x\nls\n|sh|rm x|ls`}, {`printf '%s\n' 'rm x' | bash -s`, `printf %s\n rm x|bash -s|rm x`}, {`echo ls | ssh h`, "echo ls|ssh h|sh|ls"},
		{`sh f; sh < f; curl x > f && sh f`, "sh f|sh|curl x|sh f"},
	} {
		var r Reader
		if err := r.Read(c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		lines, err := r.Invocations()
		var all []string
		for _, l := range lines {
			text, base := l.String(), l.Base().String()
			l.Words = slices.Clone(l.Words)
			for n := range l.Pieces {
				l.Words[n] = "<" + l.Words[n] + ">"
			}
			if base != text {
				l.Words = append(l.Words, "("+base+")")
			}
			all = append(all, l.String())
		}
		got := strings.Join(all, "|")
		if err != nil {
			got = "!"
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s (%v)\nwant %s", c.text, got, err, c.want)
		}
	}
}

// TestHanded searches what a program that is not known may run.
func TestHanded(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"entr npm publish", "npm publish"},
		{"foo --bar -- npm publish $x", "npm publish $x"},
		{"lima /usr/bin/git push --force", "/usr/bin/git push --force"},
		{"firejail sudo npm publish", "sudo npm publish|npm publish"},
		{"./run git push a*", "git push a*"},
		{`foo "npm publish"`, ""}, {"foo npm", ""}, {"apt install git npm x", ""}, {"brew install node npm yarn", ""}, {"which git npm x", ""}, {"man npm publish", ""}, {"echo npm publish", ""},
		{"grep -r npm publish", ""}, {`git commit -m npm publish`, ""}, {"make npm publish", ""}, {"cat git push", ""}, {"foo src/git push x", ""}, {"f() { x; }; f npm publish", ""},
		{"foo" + strings.Repeat(" git", 50) + " x", "git" + strings.Repeat(" git", 49) + " x|git" + strings.Repeat(" git", 48) + " x|git" + strings.Repeat(" git", 47) + " x|git" + strings.Repeat(" git", 46) + " x"},
	} {
		var r Reader
		if err := r.Read(c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var all []string
		for _, l := range r.Handed() {
			all = append(all, l.String())
		}
		if got := strings.Join(all, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestInputCut refuses a text for a shell if another command may read a part.
func TestInputCut(t *testing.T) {
	for _, text := range []string{"{ base64 -d | sh; } <<E\nx\nE", "{ read -n1 x; sh; } <<E\nxrm -rf /\nE", "{ head -c1; sh; } <<< 'xrm'", "echo xrm | { read -N 1 y; bash; }", "f() { read -n1 x; sh; }; f <<< xrm", "(dd bs=1 count=1; sh) <<E\nxrm\nE", "bash -s \"$(head -c1)\" <<< xrm"} {
		if got, err := read(t, text); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}
