package matcher

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/google/go-cmp/cmp"

	"github.com/dlclark/regexp2"
)

func shell(values ...string) Subject {
	return Subject{
		Own: []string{"Bash"}, Names: []string{"Bash", "Shell"},
		Values: values, Text: `{"command": "` + strings.Join(values, `", "`) + `"}`,
	}
}

func TestMatch(t *testing.T) {
	huge := strings.Repeat("x", spec.MaxSearched+1)
	tests := []struct {
		name, tool, pattern string
		subject             Subject
		want                Result // Warning is a part of it
	}{
		{"nothing given", "", "", Subject{}, Result{Matched: true}},
		{"tool by the caller's name", "^Bash$", "", shell(), Result{Matched: true}},
		{"tool by another name", "^Shell$", "", shell(), Result{Matched: true}},
		{"tool is searched", "hel", "", shell(), Result{Matched: true}},
		{"tool fails", "Write", "", shell(), Result{Failed: "tool"}},
		{"negative look-ahead applies only to the caller's name", "^(?!Shell)", "", shell(), Result{Matched: true}},
		{"negative look-ahead refuses it", "^(?!Bash)", "", shell(), Result{Failed: "tool"}},
		{"negative look-behind", "(?<!B)ash", "", shell(), Result{Failed: "tool"}},
		{"an escaped one is not a look-around", `^\(?!?Shell`, "", shell(), Result{Matched: true}},
		{"one in a class is not a look-around", "^[(?!]*Shell", "", shell(), Result{Matched: true}},
		{"one in a comment is not a look-around", "(?#(?!)Shell", "", shell(), Result{Matched: true}},
		{"anchored in a value", "", `^git push`, shell("git push -f"), Result{Matched: true}},
		{"end of a value", "", `\.py$`, shell("a", "b.py"), Result{Matched: true}},
		{"the JSON text", "", `"command": "git`, shell("git push"), Result{Matched: true}},
		{"pattern fails", "", "nothing", shell("git push"), Result{Failed: "pattern"}},
		{"both", "Bash", "git", shell("git"), Result{Matched: true}},
		{"both, tool fails first", "Write", "x", shell("git"), Result{Failed: "tool"}},
		{"both, pattern fails", "Bash", "x", shell("git"), Result{Failed: "pattern"}},
		{"names unknown", "Bash", "", Subject{NamesUnknown: "no tool name"}, Result{Matched: true, Warning: "no tool name"}},
		{"names unknown, pattern decides", "Bash", "x", Subject{NamesUnknown: "no tool name"}, Result{Failed: "pattern"}},
		{"names unknown without a tool part", "", "x", Subject{NamesUnknown: "no", Values: []string{"x"}}, Result{Matched: true}},
		{"no names at all", "Bash", "", Subject{}, Result{Matched: true, Warning: "no tool name"}},
		{"input unknown", "", "x", Subject{InputUnknown: "no input"}, Result{Matched: true, Warning: "no input"}},
		{"input unknown, tool decides", "Write", "x", Subject{Names: []string{"Bash"}, InputUnknown: "no"}, Result{Failed: "tool"}},
		{"both unknown", "a", "b", Subject{NamesUnknown: "first", InputUnknown: "second"}, Result{Matched: true, Warning: "first; second"}},
		{"too large", "", "nothing", shell(huge), Result{Matched: true, Warning: "1048576"}},
		{"too large, another matches", "", "git", Subject{Values: []string{huge, "git"}}, Result{Matched: true}},
		{"too large, the text matches", "", "git", Subject{Values: []string{huge}, Text: "git"}, Result{Matched: true}},
		{"too large a name", "nothing", "", Subject{Names: []string{huge}}, Result{Matched: true, Warning: "tool"}},
		{"as large as allowed", "", "nothing", Subject{Values: []string{huge[1:]}}, Result{Failed: "pattern"}},
		{"invalid bytes before it", "", `rm -rf`, shell("\xff\xfe\x80rm -rf\xc3"), Result{Matched: true}},
		{"invalid bytes are characters", "", `^.rm$`, shell("\xffrm"), Result{Matched: true}},
		{"invalid bytes in the pattern", "", "(\xff|git) push", shell("git push"), Result{Matched: true}},
		{"NUL", "", `rm`, shell("\x00rm"), Result{Matched: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Compile(tt.tool, tt.pattern)
			if err != nil {
				t.Fatal(err)
			}
			got := m.Match(tt.subject)
			if !strings.Contains(got.Warning, tt.want.Warning) || (got.Warning == "") != (tt.want.Warning == "") {
				t.Errorf("warning %q, want %q in it", got.Warning, tt.want.Warning)
			}
			got.Warning, tt.want.Warning, got.Found = "", "", ""
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestBudgetIsOneForAllValues(t *testing.T) {
	m, err := Compile(`(a+)+\Z`, `(a+)+\Z`)
	if err != nil {
		t.Fatal(err)
	}
	slow := strings.Repeat("a", 64) + "!"
	var values []string
	for range 100 {
		values = append(values, slow)
	}
	start := time.Now()
	got := m.Match(Subject{Names: values, Values: values, Text: slow})
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	for _, want := range []string{`tool "(a+)+\\Z"`, `pattern "(a+)+\\Z"`, "250ms"} {
		if !got.Matched || !strings.Contains(got.Warning, want) {
			t.Errorf("%+v, want matched with %q", got, want)
		}
	}
	if strings.Contains(got.Warning, "aaaa") {
		t.Error("the warning quotes the input")
	}
}

// The pattern is searched only if the tool matches (D6), and the input is
// decoded only then.
func TestPartsAreUsedWhenNeeded(t *testing.T) {
	asked := 0
	input := func() ([]string, string, string) { asked++; return []string{"x"}, "", "" }
	m := New("Bash", "(")
	if got := m.Match(Subject{Names: []string{"Other"}, Input: input}); got.Err != nil || got.Failed != "tool" {
		t.Errorf("%+v", got)
	}
	for range 2 {
		got := m.Match(Subject{Names: []string{"Bash"}, Input: input})
		var bad *Error
		if !errors.As(got.Err, &bad) || bad.Part != "pattern" || got.Matched {
			t.Errorf("%+v", got)
		}
	}
	if got := New("(", "").Match(Subject{Names: []string{"Bash"}}); got.Err == nil || got.Matched {
		t.Errorf("%+v", got)
	}
	if asked > 0 {
		t.Error("the input was decoded although it was not needed")
	}
	if got := New("Bash", "x").Match(Subject{Names: []string{"Bash"}, Input: input}); !got.Matched || asked != 1 {
		t.Errorf("%+v, Input was called %d times", got, asked)
	}
}

// Whatever needs no engine is decided even if the budget is spent, as by a long
// pause of a busy machine.
func TestPlainWordsNeedNoBudget(t *testing.T) {
	for _, text := range []string{"ls", "npm publish"} {
		for _, source := range []string{"npm", "^npm publish$"} {
			e := newExpression("pattern", source)
			if err := e.prepare(); err != nil {
				t.Fatal(err)
			}
			var left time.Duration
			found, err := e.search(text, &left)
			if decided := source == "npm" || text == "ls"; decided != (err == nil) || found != (decided && text != "ls") {
				t.Errorf("%q in %q: %v, %v", source, text, found, err)
			}
		}
	}
	m := New("Shell|Bash", "npm")
	if got := m.Match(Subject{Names: []string{"Shell"}, Values: []string{"npm i"}}); !got.Matched || got.Warning != "" || m.tool.engine != nil || m.pattern.engine != nil {
		t.Errorf("%+v", got)
	}
}

// A search uses up the budget, so the next one has none.
func TestBudgetIsSpentBySearches(t *testing.T) {
	e, err := compileEngine("pattern", "^(a+)+$")
	if err != nil {
		t.Fatal(err)
	}
	left := time.Millisecond
	if _, err := e.search(strings.Repeat("a", 64)+"!", &left); err == nil || left > 0 {
		t.Errorf("%v, %v left", err, left)
	}
	if _, err := e.search("aaa", &left); err == nil {
		t.Error("searched without time")
	}
}

// The time for decoding an input does not count.
func TestDecodingTakesNoneOfTheBudget(t *testing.T) {
	slow := func() ([]string, string, string) {
		time.Sleep(spec.MatchBudget + time.Millisecond)
		return []string{"x"}, "", ""
	}
	if got := New("", "x$").Match(Subject{Input: slow}); !got.Matched || got.Warning != "" {
		t.Errorf("%+v", got)
	}
}

// A simulation counts its steps and not its time, so that a busy machine decides as an idle one.
func TestSimulationCountsSteps(t *testing.T) {
	x, err := newException(`\$PROJECT/(.+/)?([^/]*\.(egg-info|o)|[^/]+~)(/.*)?`)
	if err != nil {
		t.Fatal(err)
	}
	line := Line{{Text: "$PROJECT/"}, {Hole: Name}, {Text: ".egg-info"}}
	p := newExpression("pattern", `a+b?c`)
	if err := p.prepare(); err != nil {
		t.Fatal(err)
	}
	simulations := map[string]func(left *time.Duration) bool{
		"every": func(left *time.Duration) bool { return x.excepts(line, left) },
		"could": func(left *time.Duration) bool {
			e := newExpression("pattern", `a+/b`)
			return e.could(line, left) == nil
		},
		"simulate": func(left *time.Duration) bool { found, err := p.search("aaac", left); return found && err == nil },
	}
	for name, simulate := range simulations {
		used := map[time.Duration]bool{}
		for range 5 {
			left := spec.MatchBudget
			if !simulate(&left) {
				t.Errorf("%s: another result", name)
			}
			used[spec.MatchBudget-left] = true
		}
		if len(used) != 1 || used[0] {
			t.Errorf("%s: used %v, want the same each time", name, used)
		}
	}
}

// An abandoned search does not affect the next one.
func TestMatchAfterTimeout(t *testing.T) {
	m, err := Compile("", `(a+)+\Z`)
	if err != nil {
		t.Fatal(err)
	}
	m.Match(shell(strings.Repeat("a", 64) + "!"))
	if got := m.Match(Subject{Values: []string{"b"}, Text: "b"}); got.Matched {
		t.Errorf("%+v", got)
	}
	if got := m.Match(shell("aa")); !got.Matched || got.Warning != "" {
		t.Errorf("%+v", got)
	}
}

// An engine that panics must not disable the guard.
func TestPanicCountsAsMatched(t *testing.T) {
	m := &Matcher{pattern: expression{part: "pattern", source: "x", ready: true, engine: &regexp2.Regexp{}}} // nil dereference
	if got := m.Match(shell("x")); !got.Matched || !strings.Contains(got.Warning, "engine") {
		t.Errorf("%+v", got)
	}
}

// Nor must an engine that cannot be created.
func TestNoEngineCountsAsMatched(t *testing.T) {
	m := &Matcher{pattern: expression{part: "pattern", source: "x(", ready: true}}
	if got := m.Match(shell("x")); !got.Matched || got.Warning == "" {
		t.Errorf("%+v", got)
	}
}

func TestConcurrentMatch(t *testing.T) {
	m, err := Compile("Bash", `git (push|pull)`)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if got := m.Match(shell("a", "git pull")); !got.Matched || got.Warning != "" {
					t.Errorf("%+v", got)
				}
			}
		})
	}
	group.Wait()
}

func TestCompileErrors(t *testing.T) {
	tests := []struct {
		tool, pattern string
		want          Error // Err is not compared
		message       string
	}{
		{"(", "", Error{Part: "tool", Source: "(", Offset: -1}, `tool "(": missing closing )`},
		{"a", "[z-a]", Error{Part: "pattern", Source: "[z-a]", Offset: -1}, `[z-a] range in reverse order`},
		{"", "a(?P=x)", Error{Part: "pattern", Source: "a(?P=x)", Offset: 1}, `no group "x" precedes`},
		{"", "é(?n:a)", Error{Part: "pattern", Source: "é(?n:a)", Offset: 2}, `a flag other than`},
		{"", "(?<n-m>a)", Error{Part: "pattern", Source: "(?<n-m>a)", Offset: 0}, `group name`},
		{"", `\8`, Error{Part: "pattern", Source: `\8`, Offset: 0}, `no group 8`},
		{"", `\U0001`, Error{Part: "pattern", Source: `\U0001`, Offset: 0}, `less than eight`},
		{"", `(?i`, Error{Part: "pattern", Source: `(?i`, Offset: 0}, `an unknown kind of group`},
		{"", `(a)\k<b>`, Error{Part: "pattern", Source: `(a)\k<b>`, Offset: 3}, `no group "b" precedes`},
		{"", `(a)\k`, Error{Part: "pattern", Source: `(a)\k`, Offset: 3}, `without <name>`},
		{"", `(a)\k'a>`, Error{Part: "pattern", Source: `(a)\k'a>`, Offset: 3}, `without <name>`},
		{"", `(a\1)`, Error{Part: "pattern", Source: `(a\1)`, Offset: 2}, `inside itself`},
	}
	for _, tt := range tests {
		_, err := Compile(tt.tool, tt.pattern)
		var got *Error
		if !errors.As(err, &got) {
			t.Errorf("Compile(%q, %q) = %v, want an *Error", tt.tool, tt.pattern, err)
			continue
		}
		if !strings.Contains(got.Error(), tt.message) || errors.Unwrap(got) == nil {
			t.Errorf("%v, want %q in it", got, tt.message)
		}
		if got.Part != tt.want.Part || got.Source != tt.want.Source || got.Offset != tt.want.Offset {
			t.Errorf("%q: %q at %d, want %+v", got.Part, got.Source, got.Offset, tt.want)
		}
	}
}

func TestDifferences(t *testing.T) {
	tests := []struct {
		source string
		want   []int // offsets
	}{
		{`rm -rf [a-z]{2,}\b(?P<n>x)(?P=n){,3}`, nil},
		{`[a-z-[aeiou]]`, nil},
		{`\\p{L} [^(?<n>] \(?<n>`, nil},
		{`a(?<n>x)\k<n>`, []int{1, 8}},
		{`\p{L}[\P{Lu}]`, []int{0, 6}},
		{`\G\e\cA\z\x{41}`, []int{0, 2, 4, 7, 9}},
		{`[\e\cA\x{41}]\c[a]`, []int{1, 3, 6, 13}},
		{`(?i)a(?s).`, []int{5}},
		{`(?-i)a`, []int{0}},
		{`(a(?i)b)`, []int{2}},
		{`(?i)(?m)(?#c)(?x) (?s)a(?i:b)`, nil},
		{`(?<=ab{2}\d)c+`, nil},
		{`(?<=a+(b{1,2}))(?<!x??)c+`, []int{5, 8, 20}},
		{`[\w-.][\w-][\w.-]`, []int{3}},
	}
	for _, tt := range tests {
		var got []int
		for _, d := range Differences(tt.source) {
			got = append(got, d.Offset)
			if !strings.Contains(d.Message, "Python") {
				t.Errorf("%q: message %q", tt.source, d.Message)
			}
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q: offsets (-want +got)\n%s", tt.source, d)
		}
		if _, err := Compile("", tt.source); err != nil {
			t.Error(err)
		}
	}
}

// Each listed difference has the stated meaning.
func TestDifferencesMean(t *testing.T) {
	tests := []struct{ source, matches, misses string }{
		{`(x)(?<n>[ab])(y)\k<n>`, "xayaa", "xayx"},
		{`(x)(?<n>[ab])(y)\k<2>`, "xaya", "xayy"},
		{`^\p{L}+$`, "éa", "1"},
		{`a(?i)b`, "aB", "AB"},
		{`(a(?i)b)c`, "aBc", "aBC"},
		{`\e\cA\x{41}\z`, "\x1b\x01A", "\x1b\x01A\n"},
		{`(?<=a+)b`, "aab", "b"},
		{`^[\w-.]$`, "-", "+"},
		{`^[^]a]$`, "b", "]"},
	}
	for _, tt := range tests {
		e := newExpression("pattern", tt.source)
		if err := e.prepare(); err != nil {
			t.Error(err)
			continue
		}
		if !found(t, &e, tt.matches) || found(t, &e, tt.misses) {
			t.Errorf("%q: %q %v, %q %v", tt.source, tt.matches, found(t, &e, tt.matches), tt.misses, found(t, &e, tt.misses))
		}
	}
}

func FuzzMatch(f *testing.F) {
	for _, s := range []string{"a", `(?P<q>['"])(.*)\1`, `[a-z-[aeiou]]`, `(?x) a # (`, `(?(1)a)`, `\k<n>`, `(a+)+$`, `[\w-\-]`, "\xff[", `\c`, `(?<=a{,3})`} {
		f.Add(s, "aaaa\xff!", s)
	}
	f.Fuzz(func(t *testing.T, source, value, tool string) {
		for _, d := range Differences(source) {
			if d.Offset < 0 || d.Offset >= len(source) {
				t.Errorf("difference at %d of %q", d.Offset, source)
			}
		}
		m, err := Compile(tool, source)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset >= len(e.Source) {
				t.Errorf("%#v", err)
			}
			return
		}
		start := time.Now()
		got := m.Match(Subject{Own: []string{value}, Names: []string{value}, Values: []string{value, source}, Text: value})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%q took %v", source, took)
		}
		if got.Matched == (got.Failed != "") || !got.Matched && got.Warning != "" {
			t.Errorf("%+v", got)
		}
	})
}

// The most expensive expressions compile and match quickly, because nothing
// else runs until then.
func TestHostileExpressions(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, 63<<10/len(s)) }
	n := 20000
	for _, source := range []string{
		strings.Repeat("(", n) + "a" + strings.Repeat(")", n),
		strings.Repeat("(?:", n) + "a" + strings.Repeat("){1000}", 1) + strings.Repeat(")", n-1),
		strings.Repeat("(?:a|", n/2) + strings.Repeat(")", n/2),
		strings.Repeat("(?=", n) + strings.Repeat(")", n),
		fill("a|"), fill("(a)"), fill("(?i:é)"), fill("[a-z]"), "[" + fill("a-cé") + "]", fill("[^a]*"), fill("(?P<n>a)"),
		"(x)" + fill(`\1`), "(?x)" + fill(" #\n"), fill("(?#)"), fill("{,9}"), `(?<=` + fill("a?") + ")b",
		strings.Repeat("(?:", 30) + "a" + strings.Repeat("{1000})", 30), fill("a{1000}"), fill(".*"),
	} {
		start := time.Now()
		m, err := Compile("", source)
		if err == nil {
			m.Match(shell(strings.Repeat("a", spec.MaxSearched)))
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%.20q took %v", source, took)
		}
		t.Logf("%v %.20q", time.Since(start), source)
	}
}

func TestWholeName(t *testing.T) {
	names := []string{"read_file", "ReadFile", "Read"}
	for _, test := range []struct {
		source string
		names  []string
		want   bool
	}{
		{"Read", names, true},
		{"Rea", names, false},
		{"(?!Read$).*", names, false}, // Claude Code's name is Read
		{"(?!Write$).*", names, true},
		{".*(?<!File)", names, false},
		{"(?!Write$).*", nil, false},
		{"(", names, false},
	} {
		if got := WholeName(test.source, test.names); got != test.want {
			t.Errorf("%s in %q: %v", test.source, test.names, got)
		}
	}
}
