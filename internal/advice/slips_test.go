package advice

import (
	"testing"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// Patterns with findings of each rule, and similar patterns without.
func TestPatternRules(t *testing.T) {
	glob := func(meant string) string {
		return "pattern-slip: looks like a glob, and in an expression `*` repeats what precedes it; write `" + meant + "`"
	}
	const feed = "pattern-slip: ends with a newline, which must also match; write it on one line, or after `|-`"
	rules := map[string]map[string]string{
		"a newline at the end": {
			"npm publish\n": feed, "rm|mv\n": feed, "^rm$\n": feed, "a\n\n": feed, "^(rm|mv)\n": feed,
			"a\nb": "", "\n": "", "\n\n": "", `a\n`: "", "a\\\n": "", "[\n]": "", "a[\n]": "", "(a\n)": "", "a\n?": "", "\na": "", "a\n|b": "",
		},
		"a command": {
			"/npm publish/": "pattern-slip: is between slashes, which must also match; write `npm publish`", "/etc/": "", "/a b": "", "a/": "",
			"rm -rf *": "pattern-slip: ends with a star, which repeats the space before it; for any text write `rm -rf .*`, for a star `rm -rf \\*`",
			`rm \*`:    "", "a* *b": "", "npm\u200b publish": "pattern-slip: has the invisible character U+200B; write `npm publish`",
		},
		"a glob": {
			`src/*.ts`: glob(`src/[^/]*\.ts$`), `a*.py`: glob(`a[^/]*\.py$`), `docs/*/*.md`: glob(`docs/[^/]*/[^/]*\.md$`), `src/*.d.ts`: glob(`src/[^/]*\.d\.ts$`),
			`src/*\.ts`: "", `src/.*\.ts`: "", `src/*`: "",
		},
	}
	for rule, sources := range rules {
		for source, want := range sources {
			if got := show(checkPattern(source)); got != want {
				t.Errorf("%s: %q\n got %s\nwant %s", rule, source, got, want)
			}
			if _, err := matcher.Compile("", source); err != nil {
				t.Errorf("%q: %v", source, err)
			}
		}
	}
}

// Proposed expressions compile, and have no findings.
func TestProposals(t *testing.T) {
	seen := 0
	for _, source := range []string{
		`src/*.ts`, `a*.py`, `^a|b$`, `^a|b|c$`, "/npm publish/", "npm\u200b publish",
	} {
		for _, f := range checkPattern(source) {
			if _, err := matcher.Compile("", f.To); err != nil || f.To == "" || show(checkPattern(f.To)) != "" {
				t.Errorf("%q: %q is proposed: %v %s", source, f.To, err, show(checkPattern(f.To)))
			}
			seen++
		}
	}
	if seen < 6 {
		t.Errorf("%d proposals", seen)
	}
}
