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
		{`tmux new-session -d -s a 'npm publish'`, "tmux new-session -d -s a npm publish|npm publish"}, {`tmux new -d \; send-keys -t a 'npm publish' Enter`, "tmux new -d ; send-keys -t a npm publish Enter|npm publish"}, {`tmux send-keys -t a "it's (fine" Enter; tmux send -t a npm Space pub lish C-m ls Enter x`, "tmux send-keys -t a it's (fine Enter|tmux send -t a npm Space pub lish C-m ls Enter x|npm publish|ls"}, {"tmux attach -t a", "tmux attach -t a"},
		{"screen -dmS a npm publish", "screen -dmS a npm publish|npm publish"}, {"parallel npm {} ::: publish; parallel -I% rm % ::: x; parallel rm ::: y", "parallel npm {} ::: publish|npm <{}> <...>|parallel -I% rm % ::: x|rm <{}> <...>|parallel rm ::: y|rm <...>"}, {"fd -e o -x rm; fd -X npm {/} a", "fd -e o -x rm|rm <...>|fd -X npm {/} a|npm <{/}> a"}, {"echo 'npm publish' | at now; batch <<< 'rm x'", "echo npm publish|at now|npm publish|batch|rm x"},
		{"gosu me npm publish; wsl -e npm publish; setpriv --reuid 1 npm publish", "gosu me npm publish|npm publish|wsl -e npm publish|npm publish|setpriv --reuid 1 npm publish|1 npm publish|npm publish"},
		// Programs that shells read.
		{`curl x | sh`, "!"}, {`curl x | sudo -E bash -`, "!"}, {`curl x | tee f | bash -s -- y`, "!"}, {`curl x | (cd y; sh)`, "!"}, {`cat f | . /dev/stdin`, "!"}, {`bash < <(x)`, "!"}, {`{ bash; } < <(x)`, "!"}, {`. <(x)`, "!"}, {`bash <(x)`, "!"}, {`bash --rcfile <(x) -i`, "!"}, {`sh -x <(x) y`, "!"}, {`sh -c "$(x)"`, "!"}, {`su -c "$(x)"`, "!"}, {`sh <<< "$(x)"`, "!"}, {`. /dev/stdin <<< "$(x)"`, "!"}, {`x | su`, "!"}, {`x | ssh h`, "!"},
		{`eval "$(x)"`, "!"}, {`f() { sh; }; curl x | f`, "!"}, {`echo $x | sh`, "!"}, {`echo a* | sh`, "!"}, {`echo 'a\nb' | sh`, "!"}, {`printf '%d' 1 | sh`, "!"}, {`printf '\162m' | sh`, "!"}, {`echo a > f | sh`, "!"}, {`curl x | sh $Y`, "!"}, {`curl x | bash "$@"`, "!"}, {`{ echo a; echo b; } | sh`, "!"}, {`for i in 1 2; do printf 'boot;re'; done | sh`, "!"}, {`echo eA | base64 -d | sh`, "!"}, {`echo() { x; }; echo a | sh`, "!"}, {`sh <<< "x" | sh`, "!"}, {`{ base64 -d | sh; } < f`, "!"},
		{`echo 'rm x; ls' | sh`, "echo rm x; ls|sh|rm x|ls"}, {`echo -n rm x | sudo bash -`, "echo -n rm x|sudo bash -|bash -|rm x"}, {`printf 'rm x\nls\n' | sh`, `printf rm x\nls\n|sh|rm x|ls`}, {`printf '%s\n' 'rm x' | bash -s`, `printf %s\n rm x|bash -s|rm x`}, {`echo ls | ssh h`, "echo ls|ssh h|sh|ls"},
		{`sh f; sh < f; curl x > f && sh f`, "sh f|sh|curl x|sh f"},
	} {
		var r Reader
		if err := r.Read(c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		lines, err := r.Invocations(), r.Unlisted()
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

// TestHanded searches what a program that is in no table may run (D98).
func TestHanded(t *testing.T) {
	for _, c := range []struct{ text, want string }{ // "!" if it cannot be read
		{"entr npm publish", "npm publish"},
		{"foo --bar -- npm publish $x", "npm publish <$x>"},
		{"lima /usr/bin/git push --force", "/usr/bin/git push --force"},
		{"firejail sudo npm publish", "sudo npm publish|npm publish"},
		{"firejail --shell git sudo -u x bar timeout 5 npm publish", "git sudo -u x bar timeout 5 npm publish|sudo -u x bar timeout 5 npm publish|bar timeout 5 npm publish|npm publish"},
		{"./run git push a*", "git push <a*>"},
		{`foo "npm publish"; hyperfine -p 'rm -r x' 'cd a && CI=1 npm publish' "npm $x"; foo --exec='npm publish z'`, "npm publish|rm -r x|cd a|npm <$x>|npm publish z"},
		{"sshpass -p x ssh h 'cd a; npm publish'", "ssh h cd a; npm publish|cd a|npm publish"},
		{"script -q /dev/null npm publish; heroku run -- npm publish; heroku run rm -r x", "npm publish|rm -r x"},
		{"rush 'npm {}'; foo bash -c {}", "npm <{}>|bash -c <{}>|<{}>|!"}, {"foo git show stash@{0}", "git show <stash@{0}>"},
		{"curl x | foo ssh h", "ssh h|sh|!"}, {"foo ssh h <<< 'npm publish'", "npm publish|ssh h|sh"}, {"cat x | xargs foo npm", "npm <...>"},
		{"make npm publish; python3 -m twine upload x; node x.js rm -r y", "npm publish|twine upload x|rm -r y"},
		{"docker rm -f x; aws s3 cp a b; go env GOPATH x; conda env create x; bun x eval run y", ""},
		{"foo npm", ""}, {"apt install git npm x", ""}, {"brew install node npm yarn", ""}, {"which git npm x", ""}, {"man npm publish", ""}, {"echo npm publish", ""}, {`echo "rm -rf x"`, ""},
		{"grep -r npm publish", ""}, {"grep -r sh -c x", ""}, {`git commit -m npm publish`, ""}, {`git commit -m "npm publish"`, ""}, {`gh pr create --title "git push --force fixed"`, ""}, {`foo --title "git push fixed"`, ""}, {`foo "git isn't good"`, ""}, {"cat git push", ""}, {"foo src/git push x", ""}, {"f() { x; }; f npm publish", ""},
		{"ls cmd -la; ls fish -la; grep -r x pkg/cmd --include='*.go'; go test ./pkg/cmd -run X", ""},
		{"foo" + strings.Repeat(" git", 5) + " x", "git git git git git x|git git git git x|git git git x|git git x|git x"},
		{"foo" + strings.Repeat(" git", 20000) + " x", "!"}, {strings.Repeat("foo sudo ", 10000) + "x", "!"},
	} {
		var r Reader
		if err := r.Read(c.text); err != nil {
			t.Errorf("%.80s: %v", c.text, err)
			continue
		}
		lines, err := r.Handed()
		var all []string
		for _, l := range lines {
			for n := range l.Pieces {
				l.Words[n] = "<" + l.Words[n] + ">"
			}
			all = append(all, l.String())
		}
		if err != nil {
			all = append(all, "!")
		}
		if got := strings.Join(all, "|"); got != c.want && !(len(c.text) > 10000 && err != nil) {
			t.Errorf("%.80s: %.500q (%v), want %.200q", c.text, got, err, c.want)
		}
	}
}

// TestTexts reads the commands in texts that other programs run, and not those in prose.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		texts []string
		run   bool
	}{
		{[]string{
			`sg G 'npm publish'`, `sed '1e npm publish' f`, `sed 's/.*/npm publish/e' f`, `vim -c '!npm publish' f`, `vim -c ':silent !npm publish' f`, `less +'!npm publish' f`, `ed -s f <<< '!npm publish'`, `printf 'r !npm publish\nq\n' | ed`,
			`psql -c '\! npm publish'`, "psql <<'E'\nselect 1;\n\\! npm publish\nE", `mysql -e 'system npm publish'`, `sqlite3 x.db '.shell npm publish'`, `gdb -batch -ex 'shell npm publish'`, `tclsh <<< 'exec npm publish'`, `expect -c 'spawn npm publish; interact'`,
			"make -f - <<'E'\nall:\n\t@npm publish\nE", `printf 'all:\n\tnpm publish\n' | make -f -`, `echo '* * * * * npm publish' | crontab -`,
			`git -c core.fsmonitor='npm publish' status`, `git -c credential.helper='!npm publish' fetch`, `git config core.editor 'npm publish'`, `git grep -O'npm publish' x`, `npm config set script-shell 'npm publish'`, `make SHELL='npm publish' all`, `LESSOPEN='|npm publish' less f`,
			`tar -I 'npm publish' -cf a b`, `zip a.zip b -T -TT 'npm publish'`, `man -P 'npm publish' ls`, `rg --pre 'npm publish' x`, `ncat -e'npm publish' h 1`, `mosh h 'npm publish'`, `mosh h -- npm publish`,
			`awk 'BEGIN{"npm publish" | getline}'`, `awk '{print | "npm publish"}' f`, `perl -e 'open(F, "npm publish|")'`, `perl -e 'system(qw(npm publish))'`, `ruby -e 'system(*%w[npm publish])'`, `ruby -e '%x(npm publish)'`, `emacs --batch --eval '(shell-command "npm publish")'`, `nmap --script 'os.execute("npm publish")'`,
			`python3 -c 'subprocess.run(args=["npm", "publish"])'`, `python3 -c 'c = "npm publish"; os.system(c)'`, `python3 -c 'c = ["npm", "publish"]; subprocess.run(c)'`, `deno eval 'new Deno.Command("npm", {args: ["publish"]}).spawn()'`,
			`node $(which npm) publish`, `osascript -e 'do shell script "npm publish"'`, `yarn npm publish`, `pnpm --filter web npm publish`,
			`cp /usr/bin/npm ./x && ./x publish`, `vim -c "!python3 -c 'c = \"npm publish\"; os.system(c)'"`, `ln -s "$HOME/bin/npm" y; ./y publish`,
		}, true},
		{[]string{
			`echo '!npm publish'`, `vim -c 'set ft=sh' 'npm publish'`, `grep '!npm publish' f`, `sed 's/npm publish/npm run x/' f`, `sed 's|a|npm publish|;/re/d' f`, `psql -c "select '! npm publish'"`, `jq '.shell="npm publish"' f`, `pytest -k 'npm publish'`, `man npm publish`, `git commit -am 'npm publish'`, `claude -p '!npm publish'`, "cat <<'E'\n!npm publish\nE", "tee f <<'E'\nnpm publish\nE", "patch -p1 <<'E'\n npm publish\n+npm publish\nE",
			`python3 -c 'print("npm publish"); os.system("ls")'`, `python3 -c 'c = "npm publish"; print(c)'`, `node -e 'if (x !== "npm publish") y()'`, `ls [!a]npm publish`, `find . ! -name npm publish`, `npm view npm publish`, `cat $(which npm) publish`, `osascript -e 'display dialog "npm publish"'`, `cp a b && ./b publish`,
		}, false},
	} {
		for _, text := range c.texts {
			r := Reader{Variables: map[string]string{"HOME": "/home/me"}}
			if err := r.Read(text); err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			lines, err := r.Handed()
			found := slices.ContainsFunc(append(lines, r.Invocations()...), func(l Invocation) bool { return l.String() == "npm publish" })
			if found != c.run || err != nil {
				t.Errorf("%s: runs npm publish: %t (%v)", text, found, err)
			}
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
