package matcher

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestCould(t *testing.T) {
	for _, test := range []struct {
		pattern string
		parts   string // "$" is an unknown part
		want    bool
	}{
		{`^npm publish`, "cat$", false},
		{`^npm publish`, "npm$", true},
		{`^npm publish`, "npm$ --tag x", true},
		{`^npm publish`, "npm run$", false},
		{`^npm publish`, "npm publish$", true},
		{`npm publish`, "echo$", true}, // not anchored
		{`^(npm|pnpm|yarn) publish( |$)`, "pnpm$", true},
		{`^(npm|pnpm|yarn) publish( |$)`, "pnpx$", false},
		{`^git( .*)? push( |$)`, "git$ status", true},
		{`^git( .*)? push( |$)`, "git status$", true}, // an argument may be push
		{`^git push$`, "git$ push", true},             // an unquoted word may be nothing
		{`^git push$`, "git$ pull", false},
		{`^git push$`, "git push$", true},
		{`^category`, "cat$", false},                     // it is a word of its own
		{`^/usr/bin/npm publish`, "$/npm publish", true}, // a directory
		{`^rm `, "$/npm publish", false},
		{`^rm\s`, "$/npm publish", false},
		{`/npm publish$`, "$/npm publish", true},
		{`^rm (?!-i)`, "rm$", true},
		{`^rm (?=-rf)x`, "cat$", false},
		{`(?<!a)^b`, "cat$", false},
		{`^(a|b)\1c`, "a$", true},
		{`^(a|b)\1c`, "c$", false},
		{`(?i)^NPM`, "npm$", true},
		{`^rm\b`, "rmdir$", false},
		{`^rm\b`, "rm$", true},
		{`x{,2}$`, "cat$", true},
		{`^a{02,}b{1,02}$`, "aabb$", true},
		{`^\N{BULLET}`, "cat$", true}, // undecided
		{`^é`, "cat$", false},
		{`^\w+ x`, "é$", true},
		{`^.*-rf.*/$`, "rm$", true},
		{`^rm -rf /$`, "rm -rf$", true},
		{`^rm -rf /$`, "rm -r$", false},
		{`(?#()^npm`, "cat$", false},
		{`^[^\]]x`, "cat$", false},
		{`^[a-z-[c]]at`, "cat$", true}, // undecided
	} {
		e := newExpression("pattern", test.pattern)
		left := spec.MatchBudget
		if got := e.could(lineOf(test.parts), &left) != nil; got != test.want {
			t.Errorf("%s in %s: %v", test.pattern, test.parts, got)
		}
	}
}

// lineOf returns a line in which $ stands for any words, at its beginning for one
// without white space, ! for any text, @ for text without white space, and * for
// names of the shape between slashes.
func lineOf(text string) (line Line) {
	holes := map[rune]Hole{'$': Words, '!': Any, '@': Unspaced, '*': Words}
	known := ""
	for _, c := range text {
		hole, ok := holes[c]
		if !ok {
			known += string(c)
			continue
		}
		part := Part{Text: string(c), Hole: hole}
		if c == '*' {
			part.Shape = Line{{Text: "s/"}, {Hole: Name}, {Text: ".o"}}
		} else if c == '$' && known == "" && len(line) == 0 {
			part.Hole = Unspaced
		}
		if known != "" {
			line = append(line, Part{Text: known})
			known = ""
		}
		line = append(line, part)
	}
	if known != "" {
		line = append(line, Part{Text: known})
	}
	return line
}

// filled returns a line with texts in place of the unknown parts.
func filled(line Line, fill []string) string {
	n := 0
	next := func() string {
		n++
		return fill[n%len(fill)]
	}
	space := strings.NewReplacer(" ", "")
	text := ""
	for _, p := range line {
		f := next()
		switch p.Hole {
		case Known:
			text += p.Text
		case Any:
			text += f
		case Unspaced:
			text += space.Replace(f)
		case Name:
			text += strings.ReplaceAll(f, "/", "")
		case UnspacedName:
			text += space.Replace(strings.ReplaceAll(f, "/", ""))
		case Words:
			for range len(f) % 3 {
				if p.Shape != nil {
					text += " " + filled(p.Shape, []string{next(), next()})
				} else if f = next(); f != "" {
					text += " " + f
				}
			}
		}
	}
	return text
}

// checkCould fills the unknown parts in, and reports a match that could excludes.
func checkCould(t *testing.T, source string, line Line, fill []string) {
	t.Helper()
	if _, err := Compile("", source); err != nil || !slices.ContainsFunc(line, func(p Part) bool { return p.Hole != Known }) {
		return
	}
	text := filled(line, fill)
	e := newExpression("pattern", source)
	left := 20 * time.Millisecond
	found, err := e.search(text, &left)
	if err == nil && found && len(text) < spec.MaxSearched {
		left := spec.MatchBudget
		if e := newExpression("pattern", source); e.could(line, &left) == nil {
			t.Errorf("%q matches %q, but could excludes %+v", source, text, line)
		}
	}
}

func TestCouldOnRandomExpressions(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(from string) string {
		words := strings.Split(from, "~")
		return words[random.IntN(len(words))]
	}
	for range testenv.Rounds(30_000) {
		source := ""
		for range 1 + random.IntN(7) {
			source += pick(`^~$~a~b~ ~.~.*~\b~\B~\s~\w+~\W~[^a]~[ab]~(a|b)~(?:ab)?~(?=b)~(?!b)~(?<=a)~(?<! )~\1~(?i)~(?i:A)~a{,2}~b{2}~\Z~\A~(?>a)~(?m)~(?s)~é~É~\d~|~-~[\w-]~(?#x)~(?P<n>a)~(?P=n)~/`)
		}
		line := lineOf(pick(`$~a$~a b$~ab$ b~a$$b~b$ a~é$~a-$/~a!~a!b~a @~a @b@ a~a*~a* b~*b~!~a!*~ab /!`))
		checkCould(t, source, line, []string{pick(`~a~b~ab~é~a b~1~-~/a`), pick(`~a~b~B~A É~_~ab a`)})
	}
}

func FuzzCould(f *testing.F) {
	f.Add(`^npm publish`, "npm$x", "a", "publish")
	f.Add(`(?<=a)(b|c)\1(?!d)`, "a$ b$", "bb", "")
	f.Fuzz(func(t *testing.T, source, parts, one, two string) {
		if strings.ContainsAny(parts+one+two, "\n\v\f\r\t\x1c\x1d\x1e\x1f\u0085\u2028\u2029") || len(source) > 100 {
			return // white space is one space in a line
		}
		checkCould(t, source, lineOf(parts), []string{one, two})
	})
}
