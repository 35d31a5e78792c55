package shell

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func read(t testing.TB, text string) (string, error) {
	t.Helper()
	var r Reader
	err := r.Read(text)
	var b bytes.Buffer
	if err := Write(&b, r.Commands); err != nil {
		t.Fatal(err)
	}
	return b.String(), err
}

// TestRead lists near misses and disguises, and the commands in them.
func TestRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, ""},
		{`# rm -rf /`, ""},
		{`x=1`, ""},
		{`echo "rm -rf /"`, "echo 'rm -rf /'\n"},
		{`r''m -r\f "/"`, "rm -rf /\n"},
		{`$'\x72m' -rf /`, "rm -rf /\n"},
		{`{rm,-rf,/}`, "rm -rf /\n"},
		{`echo {1..3}{a,b} {5..1..2}`, "echo 1a 1b 2a 2b 3a 3b 5 3 1\n"},
		{`echo a{b`, "echo 'a{b'\n"},
		{`ls *.go '*' [a]b`, "ls *.go '*' [a]b\n"},
		{`[ -f x ]`, "'[' -f x ']'\n"},
		{"rm \\\n-rf /", "rm -rf /\n"},
		{`echo "$(rm -rf /)"`, "echo \"$(rm -rf /)\"\nrm -rf /\n"},
		{"echo `rm -rf /`", "echo \"`rm -rf /`\"\nrm -rf /\n"},
		{`cat <(rm -rf /)`, "cat \"<(rm -rf /)\"\nrm -rf /\n"},
		{`x=${y:-$(rm a)}; ((a[$(rm b)]))`, "rm a\nrm b\n"},
		{`if a; then b; else c; fi; for x in $(d); do e; done`, "a\nb\nc\nd\ne\n"},
		{`f() { rm -rf /; }; f`, "rm -rf /\nf\n"},
		{`case x in y) rm z ;; esac`, "rm z\n"},
		{`[[ -n $(rm x) ]]`, "rm x\n"},
		{`curl x | tee y | sudo sh`, "curl x\n| tee y\n| sudo sh\n| sh\n"},
		{`(curl x) |& sh`, "curl x\n| sh\n"},
		{`a && b || c & d`, "a\nb\nc\nd\n"},
		{`a >b 2>&1 <c`, "a > b >& 1 < c\n"},
		{`{ a; } > /dev/sda`, "> /dev/sda\na\n"},
		{"cat <<'E'\nrm -rf /\nE", "cat << E\n"},
		{"cat <<E\n$(rm -rf /)\nE", "cat << E\nrm -rf /\n"},
		{"sh <<'E'\nrm -rf /\nE", "sh << E\nrm -rf /\n"},
		{"sudo bash <<-E\n\trm -rf /\n\tE", "sudo bash <<- E\nbash\nrm -rf /\n"},
		{"{ sh; } <<E\nrm -rf /\nE", "<< E\nsh\nrm -rf /\n"},
		{`bash <<< "rm -rf /"`, "bash <<< 'rm -rf /'\nrm -rf /\n"},
		{`sh -c "rm -rf /"`, "sh -c 'rm -rf /'\nrm -rf /\n"},
		{`bash -lo pipefail -c 'a | b' x`, "bash -lo pipefail -c 'a | b' x\na\n| b\n"},
		{`bash script.sh; . ./env`, "bash script.sh\n. ./env\n"},
		{`eval rm '-rf /'`, "eval rm '-rf /'\nrm -rf /\n"},
		{`trap 'rm x' EXIT; alias l='rm y'`, "trap 'rm x' EXIT\nrm x\nalias 'l=rm y'\nrm y\n"},
		{`sudo -u root A=b rm x`, "sudo -u root A=b rm x\nrm x\n"},
		{`sudo --user root rm x`, "sudo --user root rm x\nroot rm x\nrm x\n"},
		{`env -i A=b nice -n 5 timeout -k 1 5 rm x`, "env -i A=b nice -n 5 timeout -k 1 5 rm x\nnice -n 5 timeout -k 1 5 rm x\ntimeout -k 1 5 rm x\nrm x\n"},
		{`env -S "rm -rf /"`, "env -S 'rm -rf /'\nrm -rf /\n"},
		{`su - root -c "rm x"`, "su - root -c 'rm x'\nrm x\n"},
		{`xargs -0 -n1 rm -rf`, "xargs -0 -n1 rm -rf\nrm -rf\n"},
		{`xargs -n -I rm -rf /`, "xargs -n -I rm -rf /\nrm -rf /\n"},
		{`find . -exec rm {} \; -o -exec sh -c 'ls' +`, "find . -exec rm '{}' ';' -o -exec sh -c ls +\nrm '{}'\nsh -c ls +\nls\n"},
		{`busybox rm x; command rm y; exec rm z`, "busybox rm x\nrm x\ncommand rm y\nrm y\nexec rm z\nrm z\n"},
		{`parallel rm ::: a b`, "parallel rm ::: a b\nrm\n"},
		{`watch -n 1 'rm x'`, "watch -n 1 'rm x'\nrm x\n"},
		{`export A="$(rm x)" B=c`, "export \"A=$(rm x)\" B=c\nrm x\n"},
		{`echo "a` + "\n" + `b"`, "echo $'a\\x0ab'\n"},
		{"x=$((1<<E))\nrm -rf /\nE", "rm -rf /\nE\n"},
		{`echo {a..c} "a\$b" $'\60z' $'a\tb'`, "echo a b c 'a$b' 0z $'a\\x09b'\n"},
		{`sh -c - 'rm x'; sh -- -c 'rm y'`, "sh -c - 'rm x'\nrm x\nsh -- -c 'rm y'\n"},
		{`bash --norc --rcfile f -c 'rm x'`, "bash --norc --rcfile f -c 'rm x'\nrm x\n"},
		{"bash -s x <<E\nrm y\nE", "bash -s x << E\nrm y\n"},
		{"sh <<-E\n\tcat <<F\n\tx\n\tF\n\trm y\nE", "sh <<- E\ncat << F\nrm y\n"},
		// A shell whose operand may be missing, or its input.
		{"sh $X <<'E'\nrm y\nE", "sh \"$X\" << E\nrm y\n"},
		{`bash "$@" <<< "rm x"; . "${X:-/dev/stdin}" <<< "rm y"; echo 'rm z' | sh "$X"`, "bash \"$@\" <<< 'rm x'\nrm x\n. \"${X:-/dev/stdin}\" <<< 'rm y'\nrm y\necho 'rm z'\n| sh \"$X\"\n| rm z\n"},
		{`x | bash "$X"; bash "$D/f" <<< "a ("; . "$D/f" <<< "a ("`, "x\n| bash \"$X\"\nbash \"$D/f\" <<< 'a ('\n. \"$D/f\" <<< 'a ('\n"},
		{`zsh -fc 'rm x'; echo 'rm y' | zsh; emulate zsh -c 'rm z'; repeat 2 { rm w }`, "zsh -fc 'rm x'\nrm x\necho 'rm y'\n| zsh\n| rm y\nemulate zsh -c 'rm z'\nrm z\nrepeat 2 '{' rm w '}'\n'{' rm w '}'\nrm w\n"},
		{`IMG=x; push $IMG:latest "$IMG:8" $IMG:8080; echo "a$"`, "push \"$IMG:latest\" x:8 x:8080\necho 'a$'\n"},
		// A folder, not a shell of another grammar.
		{`ls cmd -la; go test ./pkg/cmd -run X; make cmd --x`, "ls cmd -la\ngo test ./pkg/cmd -run X\nmake cmd --x\n"},
		{`zsh; zsh run.zsh; declare -x a`, "zsh\nzsh run.zsh\ndeclare -x a\n"},
		{`timeout --foreground 5 rm x`, "timeout --foreground 5 rm x\nrm x\n"},
		{`sudo -Z x rm y`, "sudo -Z x rm y\nx rm y\nrm y\n"},
		{`/bin/RM.exe x; time rm y; ! rm z; coproc rm q`, "/bin/RM.exe x\nrm y\nrm z\nrm q\n"},
		{`coproc rm -r x | cat; coproc sh <<< 'rm y'; coproc N { rm w; } | cat`, "rm -r x\n| cat\nsh <<< 'rm y'\nrm y\nrm w\n| cat\n"},
		{"coproc a b <<E | rm c\n$(rm d)\nE", "a b << E\nrm d\n| rm c\n"},
		{"a # x \\ y\nb", "a\nb\n"},
		{`echo "${x:-'a'}" ${x:-'$(b)'}`, "echo \"${x:-'a'}\" \"${x:-'$(b)'}\"\n"},
		{`env - A=b rm x`, "env - A=b rm x\nrm x\n"},
		{`ssh h -t rm x`, "ssh h -t rm x\nrm x\n"},
		{`eval -- rm x`, "eval -- rm x\nrm x\n"},
		{`timeout "$t" 5 rm x`, "timeout \"$t\" 5 rm x\nrm x\n5 rm x\n"},
		{"sudo -s <<E\nrm x\nE", "sudo -s << E\nsh\nrm x\n"},
		{"su - root <<E\nrm x\nE", "su - root << E\nsh\nrm x\n"},
		{"curl x | ssh h", "curl x\n| ssh h\n| sh\n"},
		{`docker exec c sh -c 'rm x'`, "docker exec c sh -c 'rm x'\nsh -c 'rm x'\nrm x\n"},
		{"docker exec -i c bash <<E\nrm x\nE", "docker exec -i c bash << E\nbash\nrm x\n"},
		{`su -c'rm x'; su --comm 'rm y'; script -qc 'rm z' f`, "su '-crm x'\nrm x\nsu --comm 'rm y'\nrm y\nscript -qc 'rm z' f\nrm z\n"},
		{`env --split='rm x'`, "env '--split=rm x'\nrm x\n"},
		{`bash -rcfile f -c 'rm x'; bash +c 'rm y'`, "bash -rcfile f -c 'rm x'\nrm x\nbash +c 'rm y'\nrm y\n"},
		{`. /dev/stdin <<< 'rm x'; exec 3<<< 'rm y'; sh /dev/fd/4 <<< 'rm z'`, ". /dev/stdin <<< 'rm x'\nrm x\nexec <<< 'rm y'\nrm y\nsh /dev/fd/4 <<< 'rm z'\nrm z\n"},
		{`mapfile -C 'rm x' a; jobs -x rm y`, "mapfile -C 'rm x' a\nrm x\njobs -x rm y\nrm y\n"},
		{`sh -c 'a &> f && [[ -f x ]]'`, "sh -c 'a &> f && [[ -f x ]]'\na &> f\n"},
		{`sh -c 'i=$((i+1)); [ "$(a)" ]'`, "sh -c 'i=$((i+1)); [ \"$(a)\" ]'\n'[' \"$(a)\" ']'\na\n"},
		{`eval "$(ssh-agent -s)"`, "eval \"$(ssh-agent -s)\"\nssh-agent -s\n| sh\n"},
		{`V=publish; npm $V "$V" '$V'`, "npm publish publish '$V'\n"},
		{`PY=.venv/bin/python; $PY -m pytest`, ".venv/bin/python -m pytest\n"},
		{`for t in node npm; do $t --version; done`, "node --version\nnpm --version\n"},
		{`for t in a b; do for u in c d; do x $t$u; done; done`, "x ac\nx ad\nx bc\nx bd\n"},
		{`for t in a b; do x; done; x $t`, "x\nx \"$t\"\n"},
		{`V='rm -r  x'; $V "$V"`, "rm -r x 'rm -r  x'\n"},
		{`V=; $V rm x`, "rm x\n"},
		{`V=rm; sh -c "$V x"; W="$V y"; eval $W`, "sh -c 'rm x'\nrm x\neval rm y\nrm y\n"},
		{"V=rm; sh <<E\n$V x\nE", "sh << E\nrm x\n"},
		{`V=a; if b; then V=c; fi; x $V`, "b\nx \"$V\"\n"},
		{`V=a; (V=b; x $V); x $V`, "x b\nx a\n"},
		{`V=a; while b; do x $V; V=c; done`, "b\nx \"$V\"\n"},
		{`V=a; f() { V=b; }; x $V`, "x \"$V\"\n"},
		{`V=a; read V; x $V`, "read V\nx \"$V\"\n"},
		{`V=a1b; IFS=1; x $V "$V"`, "x \"$V\" a1b\n"},
		{"i=$((i+1)); V=a\nx $V", "x \"$V\"\n"}, // an error skips the rest of its line
		{`a {,b}`, "a b\n"},
		{"f() { sh; }; f <<< 'rm x'; curl x | f", "sh\nf <<< 'rm x'\nsh\nrm x\ncurl x\n| f\n| sh\n"},
		{"sh <<E\nrm x", "sh << E\nrm x\n"},
		{`$(which python3) -m x; "$(command -v b)" c`, "python3 -m x\nwhich python3\nb c\ncommand -v b\nb\n"},
		{`$(which a) rm x`, "a rm x\nwhich a\nrm x\n"},
		{`export A=b; V=c; x $V`, "export A=b\nx c\n"},
		// Launchers.
		{`mise exec -- npm publish; mise x node@20 -- rm x; mise x -c 'rm y'`, "mise exec -- npm publish\nnpm publish\nmise x node@20 -- rm x\nrm x\nmise x -c 'rm y'\nrm y\n"},
		{`corepack npm@10 publish; volta run --node 20 npm publish; fnm exec --using=20 npm publish`, "corepack npm@10 publish\nnpm publish\nvolta run --node 20 npm publish\nnpm publish\nfnm exec --using=20 npm publish\nnpm publish\n"},
		{`npx -y rimraf x; npx npm@latest publish; npx -p a @b/c d; npx -c 'rm x'`, "npx -y rimraf x\nrimraf x\nnpx npm@latest publish\nnpm publish\nnpx -p a @b/c d\n@b/c d\nnpx -c 'rm x'\nrm x\n"},
		{`npm exec --yes -- rm x; npm x rm y; npm exec -c 'rm z'; npm run x`, "npm exec --yes -- rm x\nrm x\nnpm x rm y\nrm y\nnpm exec -c 'rm z'\nrm z\nnpm run x\n"},
		{`uv run --with a rm x; uv --quiet run rm y; uvx a@1 b; uv tool run c d; uv pip install e`, "uv run --with a rm x\nrm x\nuv --quiet run rm y\nrm y\nuvx a@1 b\na b\nuv tool run c d\nc d\nuv pip install e\n"},
		{`pnpm dlx a; pnpm exec b; yarn exec c; poetry run d e; bundle exec f; direnv exec . g`, "pnpm dlx a\na\npnpm exec b\nb\nyarn exec c\nc\npoetry run d e\nd e\nbundle exec f\nf\ndirenv exec . g\ng\n"},
		{`docker exec -it c rm x; docker --context y exec c rm z; podman exec -e A=b c rm x`, "docker exec -it c rm x\nrm x\ndocker --context y exec c rm z\nrm z\npodman exec -e A=b c rm x\nrm x\n"},
		{`docker run --rm --name n -v $PWD:/x -e "A=$b" image rm x; docker run image; docker run image -v; docker compose exec -T c rm y`, "docker run --rm --name n -v \"$PWD:/x\" -e \"A=$b\" image rm x\nrm x\ndocker run image\ndocker run image -v\ndocker compose exec -T c rm y\nrm y\n"},
		{`docker run --entrypoint sh image -c 'rm x'`, "docker run --entrypoint sh image -c 'rm x'\nsh -c 'rm x'\nrm x\n"},
		{`kubectl exec -n a pod -c b -- rm x; kubectl -n a exec pod rm y; kubectl get exec; docker rm exec`, "kubectl exec -n a pod -c b -- rm x\nrm x\nkubectl -n a exec pod rm y\nrm y\nkubectl get exec\ndocker rm exec\n"},
		{`nix-shell -p a --run 'rm x'; nix develop -c rm y z; xvfb-run -a -s '-screen 0' rm q`, "nix-shell -p a --run 'rm x'\nrm x\nnix develop -c rm y z\nrm y z\nxvfb-run -a -s '-screen 0' rm q\nrm q\n"},
		{`git rebase -i -x 'rm x' main; git rebase --exec='rm y' -x'rm z'; git bisect run rm x; git submodule foreach --recursive 'rm y'; git rebase main`, "git rebase -i -x 'rm x' main\nrm x\ngit rebase '--exec=rm y' '-xrm z'\nrm y\nrm z\ngit bisect run rm x\nrm x\ngit submodule foreach --recursive 'rm y'\nrm y\ngit rebase main\n"},
		{`cross-env A=b rm x; =rm x; repeat 3 rm y; - rm z`, "cross-env A=b rm x\nrm x\n'=rm' x\nrm x\nrepeat 3 rm y\nrm y\n- rm z\nrm z\n"},
		{`cross-env A="$(x)" B=$C rm y; env "A=$x" rm z`, "cross-env \"A=$(x)\" \"B=$C\" rm y\nx\nrm y\nenv \"A=$x\" rm z\nrm z\n"},
		{`uv run [DIR]/a.py x`, "uv run [DIR]/a.py x\n'[DIR]/a.py' x\n"},
		// Names and texts with unknown parts that hide nothing.
		{`a \$$x \\$x $/b`, "a \"$$x\" \"\\$x\" '$/b'\n"},
		{`$(go env GOPATH)/bin/a x; "$DIR/rm" -rf; "$DIR"/a/sh -c 'rm y'`, "\"$(go env GOPATH)/bin/a\" x\ngo env GOPATH\n\"$DIR/rm\" -rf\n\"$DIR/a/sh\" -c 'rm y'\nrm y\n"},
		{`trap "kill $!" EXIT; d=$(mktemp -d); trap "rm -rf $d/x" EXIT; bash -c "echo $$"`, "trap \"kill $!\" EXIT\nkill \"$!\"\nmktemp -d\ntrap \"rm -rf $d/x\" EXIT\nrm -rf \"$d/x\"\nbash -c \"echo $$\"\necho \"$$\"\n"},
		{`bash -c "echo $HOME"`, "bash -c \"echo $HOME\"\necho \"$HOME\"\n"},
		{"git commit -m \"$(cat <<'E'\na; b\nE\n)\"; c", "git commit -m 'a; b'\ncat << E\nc\n"},
		// Substitutions that print known text.
		{"a \"$(cat <<E\nb \\$c\n\nE\n)\"", "a 'b $c'\ncat << E\n"},
		{"a \"$(cat <<E\nb $c\nE\n)\"", "a \"$(cat <<E b $c E )\"\ncat << E\n"},
		{"x=1; a \"$(cat <<-E\n\tb $x\n\tE\n)\"", "a 'b 1'\ncat <<- E\n"},
		{`a $(echo b 'c d') "$(printf '%s' '$x\n')" "$(printf '%s\n' c)"`, "a b c d '$x\\n' c\necho b 'c d'\nprintf %s '$x\\n'\nprintf '%s\\n' c\n"},
		{`x=$(echo b); a "$x"; eval "$(echo rm c)"; $(echo rm) d`, "echo b\na b\neval 'rm c'\necho rm c\nrm c\nrm d\necho rm\n"},
		{`a "$(echo 'b\n')"`, "a \"$(echo 'b\\n')\"\necho 'b\\n'\n"},
		{`a "$(echo -n b)" "$(printf '%d' 1)" "$(echo ~)" "$(echo *)"`, "a \"$(echo -n b)\" \"$(printf '%d' 1)\" \"$(echo ~)\" \"$(echo *)\"\necho -n b\nprintf %d 1\necho ~\necho *\n"},
		{`a "$(echo b)"; echo() { c; }`, "a \"$(echo b)\"\necho b\nc\n"},
		{`for i in 1 2; do a "$(echo b)"; eval 'ec''ho() { c; }'; done`, "a \"$(echo b)\"\necho b\neval 'echo() { c; }'\nc\n"},
		{"PATH=.; a \"$(cat <<E\nb\nE\n)\"", "a \"$(cat <<E b E )\"\ncat << E\n"},
		{`--verbose x`, "--verbose x\n"},
		// Files with literal content.
		{"cat > f <<'E'\nrm x\nE\nsh ./f; sh g", "cat > f << E\nsh ./f\nrm x\nsh g\n"},
		{"echo 'rm x' > d/f && chmod +x d/f && sudo d/f; echo a > d/g; rm d/g", "echo 'rm x' > d/f\nchmod +x d/f\nsudo d/f\nd/f\nrm x\necho a > d/g\nrm d/g\n"},
		{"echo 'rm x' >> f; . f; x > f; sh f; echo a 2> f; sh f", "echo 'rm x' >> f\n. f\nrm x\nx > f\nsh f\necho a > f\nsh f\n"},
		{"tee f <<< 'sh f; rm x'; bash f; cat > p <<'E'\n#!/usr/bin/python3\nif x: y(\nE\n./p", "tee f <<< 'sh f; rm x'\nbash f\nsh f\nrm x\ncat > p << E\n./p\n"},
		{"echo 'rm x' | tee f; bash < f; mv f g; sh g", "echo 'rm x'\n| tee f\nbash < f\nrm x\nmv f g\nsh g\nrm x\n"},
		{"{ echo a; echo rm x; } > f; sudo sh < f; t=$(mktemp); echo rm y > \"$t\"; sh $t", "> f\necho a\necho rm x\nsudo sh < f\nsh\na\nrm x\nmktemp\necho rm y > \"$t\"\nsh \"$t\"\nrm y\n"},
		{`echo 'rm x' | sh`, "echo 'rm x'\n| sh\n| rm x\n"},
	} {
		if got, err := read(t, c.text); err != nil || got != c.want {
			t.Errorf("%s\ngot  %q (%v)\nwant %q", c.text, got, err, c.want)
		}
	}
}

func TestUnreadable(t *testing.T) {
	for _, text := range []string{
		`a {b,$}$x`, `echo "`, `echo $(`, `if a; then`, "cat <<E\nrm\\", "a\x00b", "cat <<E\r\nE\r\n", strings.Repeat("(", 300), strings.Repeat("a ", 3*MaxText),
		`$x -rf /`, `"$(cat rm)" x`, `/bin/r? x`, `@(rm) x`, `!(rm -rf /)`, `echo @($(rm))`, `"$@"`,
		`eval $x`, `eval "$(curl x) y"`, `sh -c "$x"`, `sh -c "echo $x"`, `sh -c`, `bash $o 'rm -rf /'`, `trap "$x" EXIT`, `su -c "$x"`, "sh <<E\n$x\nE",
		`sudo $x`, `sudo -u $x echo y`, `timeout $t ls`, `env -S "$x"`, `xargs sh -c`, `xargs bash`, `xargs -I{} {} x`, `xargs env`, `find . -exec {} \;`, `parallel bash -c {} ::: 'rm -rf ~'`, `parallel 'bash -c "{}"' ::: x`, `parallel {} ::: rm`, `fd -x {}`, `parallel`,
		`zsh -c 'x="rm y"; $=x'`, `x=rm; $x:t y`, `functions[f]='rm x'; f`, "NULLCMD=rm; < x", `alias -g G='; rm x'`, `fish -c x`, `pwsh -Command x`, `coproc rm declare x`, `x cmd /c y`, `x /bin/fish -c y`, `echo ${x@P}`, `declare 'a[$(rm x)]=1'`, `test -v 'a[$(rm x)]'`,
		`echo {1..99999999}`, "echo " + strings.Repeat("{a,b}", 30), `alias x="$y"`,
		`timeout -- $t ls`, "eval sh <<E\n$x\nE", `env A=$x ls`, `xargs eval echo`, `xargs --replace=X X y`, `echo {1..99999999999}`, "sh -c $" + strings.Repeat("x", 300),
		strings.Repeat("echo $(", 300) + "a" + strings.Repeat(")", 300), strings.Repeat("a;", maxCommands+1),
		strings.Repeat("eval ", 8) + strings.Repeat("a", 100_000), strings.Repeat("eval ", 8) + strings.Repeat("a ", 25_000),
		`echo "${x:-'$(rm x)'}"`, "cat <<E\n${x:-'$(rm x)'}\nE", `echo $(( '$(rm x)' ))`,
		`xargs -- -x rm`, `xargs -I{} sh -c '{}'`, `xargs -0I % bash -c 'a %'`, `xargs --repl=X eval X`, `find . -exec sh -c 'a {}' \;`, `xargs -I% env % rm`,
		`let 'a[$(rm x)]'`, `x='a[$(rm x)]'; [[ $x -eq 1 ]]`, `x='a[$(rm x)]'; echo $((x))`, `x=$(printf 'a[\x24(rm x)]'); ((x))`, `x='a[$(rm)]'; echo ${!x}`, `RANDOM='a[$(rm x)]'`,
		`sh -c 'echo &>f rm x'`, `sh -c "a $'\'; rm x #'"`, `sh -c '[[ a || rm ]]'`, `su -c "a $'b'"`, `PS4='$(rm x)' bash -xc a`, `env 'BASH_FUNC_ls%%=() { rm x; }' bash -c ls`,
		`env -S 'A=b #' rm`, `hash -p /bin/rm ls`, `compgen -W '$(rm x)'`, `read V; $V`, `V=rm; export V; $V x`, `. ./f; V=rm; $V x`, `su $x`, `docker exec c sh $x 'rm x'`,
		"V=1; " + strings.Repeat("while V=2; do ", 40) + ":" + strings.Repeat("; done", 40), "which() { echo rm; }; $(which ls) x",
		"a $(cat <<E\nx\nE\nnpm; publish)", `$DIR/rm x`, `GOPATH='rm x'; $(go env GOPATH)/bin/a`, `go() { x; }; $(go env GOPATH)/a`, `GOPATH='rm x' :; $(go env GOPATH)/bin/a`, `"$DIR/$x"`, `"$DIR/"$x`, `"$DIR/"*`, `"$DIR"rm`, `"$DIR/.."`, `"$@/a"`,
		`env "$x=a" rm`, `env "${x}A=b" rm`, `env "BASH_FUNC_a%%=$x" rm`, `HOME=$x; bash -c "echo $HOME"`, `. ./f; bash -c "echo $HOME"`, `read HOME; bash -c "echo $HOME"`, `bash -c "echo '$HOME'"`, `f() { HOME=$1; }; f x; bash -c "echo $HOME"`,
		`x=$!; bash -c "x=rm; $x a"`, `x="rm $!"; sh -c "$x"`, `x=$!; trap "echo '$x'" EXIT`, `mktemp() { x; }; sh -c "rm $(mktemp)"`, `TMPDIR='a b'; sh -c "rm $(mktemp)"`, `x=$(mktemp); x=$y; sh -c "rm $x"`, `npx -c "$x"`, `nix-shell --run "$x"`, `git rebase -x "$x"`, `npx $x`, `uv run "$x"`, `ls *(e:'rm x':)`, `ls *(+rm)`, `echo 'rm "' | sh`,
		"alias x=rm; x -rf /",
	} {
		got, err := read(t, text)
		var n *Note
		if !errors.As(err, &n) {
			t.Errorf("%.80q is read as %.80q (%v)", text, got, err)
		} else if len(n.Cause) > 200 || strings.HasPrefix(n.Cause, "internal error") {
			t.Errorf("%.80q: %s", text, n.Cause)
		}
	}
	posix := Reader{POSIX: true}
	if err := posix.Read("cat <(a)"); err == nil {
		t.Error("bash's grammar in POSIX sh")
	}
}

// TestReadTime bounds the time for hostile texts.
func TestReadTime(t *testing.T) {
	for _, unit := range []string{"npx --x ", "npx ", "docker --x exec run ", "uv run --x y ", "repeat ", "- ", "= ", "nix-shell --run x ", "git rebase -x ", "echo x|sh;", "sh <<<x;", "bash -c \"$! $a\";", "bash -c \"$!" + strings.Repeat(" $a", 1000) + "\";", "\"$x/a\";", "a[", "$(cat <<E\nE\n", "f() { sh; };", "{ sh; };", "docker run -v $x "} {
		for _, prefix := range []string{"", "x=$!; npx "} {
			text := prefix + strings.Repeat(unit, MaxText/4/len(unit))
			begin := time.Now()
			var r Reader
			_ = r.Read(text)
			_, _ = r.Handed()
			if d := time.Since(begin); d > 20*time.Second {
				t.Errorf("%.20q takes %v", text, d)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	var r Reader
	if err := r.Read(`x=y a | { b | sudo c; } > d; e "$(f)"; env A=b g`); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, r.Commands); err != nil {
		t.Fatal(err)
	}
	const want = `{"line":1,"words":["a"],"unknown":[],"globs":[],"assigns":["x=y"],"redirects":[],"inside":0,"pipeline":1,"position":1,"reads":[]}
{"line":2,"words":[],"unknown":[],"globs":[],"assigns":[],"redirects":[{"op":">","target":"d","unknown":false,"text":""}],"inside":0,"pipeline":1,"position":2,"reads":[1]}
{"line":3,"words":["b"],"unknown":[],"globs":[],"assigns":[],"redirects":[],"inside":0,"pipeline":2,"position":1,"reads":[1]}
{"line":4,"words":["sudo","c"],"unknown":[],"globs":[],"assigns":[],"redirects":[],"inside":0,"pipeline":2,"position":2,"reads":[1,3]}
{"line":5,"words":["c"],"unknown":[],"globs":[],"assigns":[],"redirects":[],"inside":4,"pipeline":2,"position":2,"reads":[1,3]}
{"line":6,"words":["e","$(f)"],"unknown":[1],"globs":[],"assigns":[],"redirects":[],"inside":0,"pipeline":0,"position":0,"reads":[]}
{"line":7,"words":["f"],"unknown":[],"globs":[],"assigns":[],"redirects":[],"inside":6,"pipeline":0,"position":0,"reads":[]}
{"line":8,"words":["env","A=b","g"],"unknown":[],"globs":[],"assigns":[],"redirects":[],"inside":0,"pipeline":0,"position":0,"reads":[]}
{"line":9,"words":["g"],"unknown":[],"globs":[],"assigns":["A=b"],"redirects":[],"inside":8,"pipeline":0,"position":0,"reads":[]}
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// declares reports whether a command's arguments have their own grammar.
func declares(name string) bool {
	return slices.Contains([]string{"declare", "local", "export", "readonly", "typeset", "nameref", "let"}, name)
}

// FuzzRead checks that no text causes a panic, and that a printed command is
// read as the same command.
func FuzzRead(f *testing.F) {
	for _, text := range []string{`a "b c" $'d\ne' | f > g`, `sudo -u x env -S "a b"`, "sh <<E\na\nE", `{a,b{1..2}} $x`, `xargs -I{} sh -c '{}'`, `find -exec a + `, `a[$(b)]=c d`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r Reader
		if r.Read(text) != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteJSON(&b, r.Commands); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%q: not JSON: %s", text, line)
			}
		}
		for _, c := range r.Commands {
			if len(c.Unknown)+len(c.Globs) > 0 || len(c.Words) == 0 || declares(c.Words[0]) {
				continue
			}
			c.Redirects, c.Position = nil, 0
			b.Reset()
			if err := Write(&b, []Command{c}); err != nil {
				t.Fatal(err)
			}
			var again Reader
			_ = again.Read(b.String())
			if len(again.Commands) == 0 || strings.Join(again.Commands[0].Words, "\x00") != strings.Join(c.Words, "\x00") {
				t.Fatalf("%q: %q is printed as %q", text, c.Words, b.String())
			}
		}
	})
}
