package advice

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// atoms are the parts of random expressions.
var atoms = []string{"a", "-", `\n`, ".", "[ab]", "[^a]", `\w`, `\W`, `\s`, `\S`, `\d`, "^", "$", `\A`, `\Z`, `\b`, `\B`, `[^\s\S]`, "", "_", "é"}

func randomExpression(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(3) == 0 {
		return atoms[r.IntN(len(atoms))]
	}
	inner := func() string { return randomExpression(r, depth-1) }
	switch r.IntN(8) {
	case 0, 1, 2:
		return inner() + inner()
	case 3:
		return inner() + inner() + inner()
	case 4:
		return "(?:" + inner() + "|" + inner() + ")"
	case 5:
		return []string{"(?m:", "(?i:", "(?s:", "("}[r.IntN(4)] + inner() + ")"
	case 6:
		return []string{"(?=", "(?!", "(?<=", "(?<!"}[r.IntN(4)] + inner() + ")"
	}
	return "(?:" + inner() + ")" + []string{"*", "+", "?", "{2}", "{1}", "{1,2}", "{0}", "+?"}[r.IntN(8)]
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(7) {
		b.WriteString([]string{"a", "b", "-", "\n", "_", "1", " ", "é"}[r.IntN(8)])
	}
	return b.String()
}

// The verdicts about random expressions are correct for random texts.
func TestVerdictsOnRandomExpressions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := map[string]int{}
	rounds := 4000
	if os.Getenv("LONG_TESTS") != "" {
		rounds = 20_000
	}
	for range rounds {
		source := randomExpression(r, 4)
		m, err := matcher.Compile("", source)
		if err != nil || source == "" {
			continue
		}
		if _, ok := parse(source); !ok {
			t.Fatalf("%q is not understood", source)
		}
		found := checkPattern(source)
		toolEverything := whole(checkTool(source), Everything)
		never, everything := whole(found, Never), whole(found, Everything)
		if never {
			count[Never]++
		}
		if everything {
			count[Everything]++
		}
		if !never && !everything && !toolEverything {
			continue
		}
		for range 12 {
			text := randomText(r)
			line := strings.ReplaceAll(text, "\n", "")
			if result := m.Match(matcher.Subject{Text: text}); never && result.Matched && result.Warning == "" {
				t.Errorf("%q can match %q", source, text)
			}
			if everything && !m.Match(matcher.Subject{Text: "{" + line + "}"}).Matched {
				t.Errorf("%q does not match everything: not %q", source, "{"+line+"}")
			}
			if toolEverything && !m.Match(matcher.Subject{Text: "A" + line}).Matched {
				t.Errorf("%q does not match every name: not %q", source, "A"+line)
			}
		}
	}
	if count[Never] < rounds/100 || count[Everything] < rounds/40 {
		t.Errorf("too few verdicts: %v", count)
	}
}
