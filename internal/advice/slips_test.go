package advice

import (
	"regexp"
	"slices"
	"testing"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// Patterns with findings of each rule, and similar patterns without.
func TestPatternRules(t *testing.T) {
	always := func(look, meant string) string {
		return "pattern-everything: matches everything, since `" + look + "` holds somewhere in every text; write `" + meant + "`"
	}
	set := func(is, meant string) string {
		return "pattern-slip: has `" + is + "`, which takes one character of these; write `" + meant + "`"
	}
	dot := func(before, meant string) string {
		return "pattern-slip: has a dot that takes any character before `" + before + "`; write `" + meant + "`"
	}
	dots := func(before, meant string) string {
		return "pattern-slip: has dots that take any character before " + before + "; write `" + meant + "`"
	}
	glob := func(meant string) string {
		return "pattern-slip: looks like a glob, and in an expression a star repeats what stands before it; write `" + meant + "`"
	}
	const feed = "pattern-slip: ends with a newline, which must also match; write it on one line, or after `|-`"
	rules := map[string]map[string]string{
		"a negative look-ahead that is held nowhere": {
			`(?!rm)`: always(`(?!rm)`, `^\{(?!.*rm)`), `.*(?!rm)`: always(`(?!rm)`, `^\{(?!.*rm)`), `(?!.*rm).*`: always(`(?!.*rm)`, `^\{(?!.*rm)`),
			`ls|(?!rm|mv)`: always(`(?!rm|mv)`, `^\{(?!.*(?:rm|mv))`),
			`(?!^rm)`:      always(`(?!^rm)`, `^(?!rm)`), `(?!rm)(?!mv)`: always(`(?!rm)`, `^\{(?!.*rm)`),
			`^(?!.*rm)`: "", `^\{(?!.*rm)`: "", `^(?!git )`: "", `\A(?!x)`: "", `rm(?! -i)`: "", `git (?!status)`: "", `git push(?!.*--dry-run)`: "",
			`(?<!sudo )rm`: "", `foo(?!bar)$`: "", `(?!rm)x`: "", `\b(?!rm)`: "", `npm (?!test|run)`: "", `(?!x).{2}`: "", `(?![^}])..`: "", `(?!a).\Sx`: "",
		},
		"a newline at the end": {
			"npm publish\n": feed, "rm|mv\n": feed, "^rm$\n": feed, "a\n\n": feed, "^(rm|mv)\n": feed,
			"a\nb": "", "\n": "", "\n\n": "", `a\n`: "", "a\\\n": "", "[\n]": "", "a[\n]": "", "(a\n)": "", "a\n?": "", "\na": "", "a\n|b": "",
		},
		"a set that was meant as a group": {
			`git push [main|master]`: set(`[main|master]`, `(main|master)`), `[rm|mv]`: set(`[rm|mv]`, `(rm|mv)`),

			`[;|&]`: "", `[^|]x`: "", `[y|n]`: "", `[aeiou]`: "", `[jt]sx?`: "", `[AaBb]`: "", `[rwx]+`: "", `[a-zA-Z0-9_.-]+ x`: "", `["'|]`: "", `[\w|-]+ x`: "",
			`[ |\t]`: "", `[|]`: "", `[yY][eE][sS]`: "", `[0-9]|[00]`: "", `[a-z|A-Z]`: "", `[ab|;]`: "", `[  ab]`: "", `\[rm|mv\]`: "", `[ss]x`: "", `[rm]`: "",
		},
		"slashes and a flag": {

			`/rm/`: "", `/usr/bin/i`: "", `/mnt/g`: "", `/mnt/i`: "", `/etc/`: "", `/home/s`: "", `/i`: "", `//i`: "", `/a/b/i`: "", `/x/y`: "", `/src/ing`: "", `a/b/i`: "", `/x/m`: "",
		},
		"a glob": {
			`src/*.ts`: glob(`src/[^/]*\.ts$`), `a*.py`: glob(`a[^/]*\.py$`), `docs/*/*.md`: glob(`docs/[^/]*/[^/]*\.md$`), `src/*.d.ts`: glob(`src/[^/]*\.d\.ts$`),
			`src/+.ts`: dot("ts", `src/+\.ts`), `src/*?.ts`: dot("ts", `src/*?\.ts`), `src/*\.ts`: "", `src/.*\.ts`: "", `src/*`: "",
		},
		"dots of files": {

			`.(js|ts)x?$`: dot("(js|ts)x?", `\.(js|ts)x?$`), `.key$`: dot("key", `\.key$`), `Makefile.am`: dot("am", `Makefile\.am`),
			`.pem|.key|.p12`: dots("`pem`, `key` and `p12`", `\.pem|\.key|\.p12`),
			`.d.ts$`:         dots("`d` and `ts`", `\.d\.ts$`), `.tar.gz$`: dots("`tar` and `gz`", `\.tar\.gz$`), `\.test.js$`: dot("js", `\.test\.js$`), `.*.spec.tsx?$`: dots("`spec` and `tsx?`", `.*\.spec\.tsx?$`),
			`.key"`: dot("key", `\.key"`),

			`a file with a very long name that nobody has.py`: dot("py", `\.py`),
			`\.env\.local`: "", `\.env.*`: "", `.*env.*`: "", `.{3}key$`: "", `.environment`: "", `test.js*on`: "",
			`npm.run.build`: "", `\.(js|ts)x?$`: "", `[.]d[.]ts$`: "", `.log.*`: "", `.env*ironment`: "", `.env{2}`: "", `.+\.pem|key`: "", `.pem|key`: dot("pem", `\.pem|key`),
			`git add .`: "", `rm -rf ./x`: "", `.js|.a`: dot("js", `\.js|.a`), `.js|..x`: dot("js", `\.js|..x`),
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
	proposal := regexp.MustCompile(" write `([^`…]+)`(?:, for a pipe `([^`…]+)`)?$")
	seen := 0
	for _, source := range []string{
		`(?!rm)`, `ls|(?!rm|mv)`, `(?!^rm)`, `git push [main|master]`, `.(js|ts)x?$`, `.pem|.key|.p12`, `.d.ts$`, `.*.spec.tsx?$`, `src/.+.ts`, `src/*.ts`, `[A-z]x`, `^a|b$`, `"command":"`,
	} {
		for _, f := range checkPattern(source) {
			match := proposal.FindStringSubmatch(f.Message())
			if match == nil {
				t.Errorf("%q: no proposal in %s", source, f.Message())
				continue
			}
			for _, meant := range slices.DeleteFunc(match[1:], func(text string) bool { return text == "" }) {
				if _, err := matcher.Compile("", meant); err != nil || show(checkPattern(meant)) != "" {
					t.Errorf("%q: %q is proposed: %v %s", source, meant, err, show(checkPattern(meant)))
				}
				seen++
			}
		}
	}
	if seen < 12 {
		t.Errorf("%d proposals", seen)
	}
}
