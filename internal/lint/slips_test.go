package lint

import (
	"regexp"
	"slices"
	"testing"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// What each rule finds in a pattern, and what is spelled much like it and
// fine.
func TestPatternRules(t *testing.T) {
	always := func(look, meant string) string {
		return "pattern-everything: matches everything, since `" + look + "` holds somewhere in every text; write `" + meant + "`"
	}
	bars := func(either, pipe string) string {
		return "pattern-slip: has blanks beside a bar, which must stand there, too; for either of them write `" + either + "`, for a pipe `" + pipe + "`"
	}
	set := func(is, meant string) string {
		return "pattern-slip: has `" + is + "`, which takes one character of these; write `" + meant + "`"
	}
	class := func(is, meant string) string {
		return "pattern-slip: has `" + is + "`, which is no class here but its letters; inside the brackets write `" + meant + "`"
	}
	edges := func(is, meant string) string {
		return "pattern-slip: has `" + is + "`, which takes the signs < and >; for the edges of a word write `" + meant + "`"
	}
	slashes := func(meant string) string {
		return "pattern-slip: has slashes around it, which must stand there, too; write `" + meant + "`"
	}
	quotes := func(meant string) string {
		return "pattern-slip: has single quotes, where the JSON text has double ones; write `" + meant + "`"
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
	const feed = "pattern-slip: ends with a line feed, which must follow, too; write it on one line, or behind `|-`"
	rules := map[string]map[string]string{
		"a negative look-ahead that is held nowhere": {
			`(?!rm)`: always(`(?!rm)`, `^\{(?!.*rm)`), `.*(?!rm)`: always(`(?!rm)`, `^\{(?!.*rm)`), `(?!.*rm).*`: always(`(?!.*rm)`, `^\{(?!.*rm)`),
			`((?!rm).)+`: always(`(?!rm)`, `^\{(?!.*rm)`), `(?!rm)$`: always(`(?!rm)`, `^\{(?!.*rm)`), `ls|(?!rm|mv)`: always(`(?!rm|mv)`, `^\{(?!.*(?:rm|mv))`),
			`(?i)(?!rm).`: always(`(?!rm)`, `(?i)^\{(?!.*rm)`), `(?!^rm)`: always(`(?!^rm)`, `^(?!rm)`), `(?!rm)(?!mv)`: always(`(?!rm)`, `^\{(?!.*rm)`),
			`^(?!.*rm)`: "", `^\{(?!.*rm)`: "", `^(?!git )`: "", `\A(?!x)`: "", `rm(?! -i)`: "", `git (?!status)`: "", `git push(?!.*--dry-run)`: "",
			`(?<!sudo )rm`: "", `foo(?!bar)$`: "", `(?!rm)x`: "", `\b(?!rm)`: "", `npm (?!test|run)`: "", `(?!x).{2}`: "", `(?![^}])..`: "", `(?!a).\Sx`: "",
		},
		"a line feed at the end": {
			"npm publish\n": feed, "rm|mv\n": feed, "^rm$\n": feed, "a\n\n": feed, "^(rm|mv)\n": feed,
			"a\nb": "", "\n": "", "\n\n": "", `a\n`: "", "a\\\n": "", "[\n]": "", "a[\n]": "", "(a\n)": "", "a\n?": "", "\na": "", "a\n|b": "",
		},
		"blanks beside a bar": {
			`rm | mv`: bars(`rm|mv`, `rm \| mv`), `curl .* | sh`: bars(`curl .*|sh`, `curl .* \| sh`), `a | b | c`: bars(`a|b|c`, `a \| b \| c`),
			`git (push  | pull)`: bars(`git (push|pull)`, `git (push  \| pull)`), `^curl | sh`: bars(`^curl|sh`, `^curl \| sh`), `a|b | c`: bars(`a|b|c`, `a|b \| c`),
			`rm|mv`: "", `curl.*\|.*sh`: "", `curl .* \| sh`: "", `(^| )rm( |$)`: "", `( rm | mv )`: "", ` rm | mv `: "", `(^rm | rm | rm$)`: "", `(;| | &&) x`: "",
			`( | )rm`: "", `rm |mv `: "", `a| b`: "", `[ | ]`: "", `x\ |\ y`: "", `a( |)b`: "", `\s|\s`: "", `( || )x`: "", `(&& | ; )rm`: "", `(\| | && )rm`: "", ` && | \|\| |;`: "",
		},
		"a set that was meant as a group": {
			`git push [main|master]`: set(`[main|master]`, `(main|master)`), `[rm|mv]`: set(`[rm|mv]`, `(rm|mv)`), `[npm publish]`: set(`[npm publish]`, `(npm publish)`),
			`x[commit]+`: set(`[commit]`, `(commit)`), `[a|rm f|b]`: set(`[a|rm f|b]`, `(a|rm f|b)`), `[run|no_op-]`: set(`[run|no_op-]`, `(run|no_op-)`), `[rm\|mv]`: set(`[rm\|mv]`, `(rm|mv)`),
			`[;|&]`: "", `[^|]x`: "", `[y|n]`: "", `[aeiou]`: "", `[jt]sx?`: "", `[AaBb]`: "", `[rwx]+`: "", `[a-zA-Z0-9_.-]+ x`: "", `["'|]`: "", `[\w|-]+ x`: "",
			`[ |\t]`: "", `[|]`: "", `[yY][eE][sS]`: "", `[0-9]|[00]`: "", `[a-z|A-Z]`: "", `[ab|;]`: "", `[  ab]`: "", `\[rm|mv\]`: "", `[ss]x`: "", `[rm]`: "",
		},
		"classes of other dialects": {
			`[[:space:]]rm`: class(`[:space:]`, `\s`), `x[^[:space:]]+`: class(`[:space:]`, `\s`), `[[:alnum:]_]+ x`: class(`[:alnum:]`, `a-zA-Z0-9`),
			`[a-z[:digit:]] x`: class(`[:digit:]`, `0-9`), `[[:word:]-]`: class(`[:word:]`, `\w`), `[:digit:]+`: class(`[:digit:]`, `0-9`),
			`[:;]`: "", `[a:]`: "", `[:a]`: "", `[^:]*: x`: "", `[[:x:]]`: "", `\[[:space]`: "", `[:alpha]`: "", `[x:alpha:]`: "", `[[:]`: "", `[[]:space:`: "", `\[:space:\]`: "",
		},
		"edges of words of other dialects": {
			`\<rm\>`: edges(`\<rm\>`, `\brm\b`), `\<rm\> -r|\<mv\>`: edges(`\<rm\>`, `\brm\b`) + "\n" + edges(`\<mv\>`, `\bmv\b`),
			`2\>&1`: "", `\<div\>`: "", `\<SCRIPT\>`: "", `\<\w+\>`: "", `cat \<file\>x`: "", `\> /dev/sda`: "", `\<EOF`: "", `<rm>`: "", `\<a b\>`: "", `\<\>`: "", `\brm\b`: "", `(?<rm>x)`: "",
		},
		"single quotes": {
			`'command': 'npm'`: quotes(`"command": "`), `x|'file_path':\s*'/etc`: quotes(`"file_path": "`), `'url' : 'x`: "", `{'command':'x`: quotes(`"command": "`),
			`'foo': 'x'`: "", `'command'`: "", `'path'`: "", `'url':`: "", `'command': "x`: "", `"command": "npm`: "", `"command": "echo 'a': 'b'`: "", `'command' 'x'`: "", `echo 'x'`: "", `'`: "", `'command'|:'x'`: "",
		},
		"slashes and a flag": {
			`/rm/i`: slashes(`(?i)rm`), `/rm -rf/gi`: slashes(`(?i)rm -rf`), `/rm.*x/g`: slashes(`rm.*x`), `/a\/b/i`: slashes(`(?i)a\/b`),
			`/rm/`: "", `/usr/bin/i`: "", `/mnt/g`: "", `/mnt/i`: "", `/etc/`: "", `/home/s`: "", `/i`: "", `//i`: "", `/a/b/i`: "", `/x/y`: "", `/src/ing`: "", `a/b/i`: "", `/x/m`: "",
		},
		"a glob": {
			`src/*.ts`: glob(`src/[^/]*\.ts$`), `a*.py`: glob(`a[^/]*\.py$`), `docs/*/*.md`: glob(`docs/[^/]*/[^/]*\.md$`), `src/*.d.ts`: glob(`src/[^/]*\.d\.ts$`),
			`^src/*.ts`: dot("ts", `\.ts`), `(src/*.ts)$`: dot("ts", `\.ts`), `src/*.[tj]s`: dot("[tj]s", `\.[tj]s`), `^src/*.d.ts`: "pattern-slip: has dots that take any character before `d` and `ts`; write `\\.d` and `\\.ts`", `src/+.ts`: dot("ts", `src/+\.ts`), `src/*?.ts`: dot("ts", `src/*?\.ts`), `src/*\.ts`: "", `src/.*\.ts`: "", `src/*`: "",
		},
		"dots of files": {
			`.env.local`: dots("`env` and `local`", `\.env\.local`), `.env.production`: dots("`env` and `production`", `\.env\.production`), `.env*`: dot("env*", `\.env.*`),
			`.env.*`: dot("env", `\.env.*`), `.(js|ts)x?$`: dot("(js|ts)x?", `\.(js|ts)x?$`), `.key$`: dot("key", `\.key$`), `Makefile.am`: dot("am", `Makefile\.am`),
			`.pem|.key|.p12`: dots("`pem`, `key` and `p12`", `\.pem|\.key|\.p12`), `(.pem|.id_rsa)$`: dots("`pem` and `id_rsa`", `(\.pem|\.id_rsa)$`), `.(pem|key)`: dot("(pem|key)", `\.(pem|key)`),
			`.d.ts$`: dots("`d` and `ts`", `\.d\.ts$`), `.tar.gz$`: dots("`tar` and `gz`", `\.tar\.gz$`), `\.test.js$`: dot("js", `\.test\.js$`), `.*.spec.tsx?$`: dots("`spec` and `tsx?`", `.*\.spec\.tsx?$`),
			`(.json*|.env*)`: dots("`json*` and `env*`", `(\.json.*|\.env.*)`), `.key"`: dot("key", `\.key"`),
			`.py .js .go .ts .md .css .html .txt`:             dots("`py`, `js`, `go`, `ts`, `md`, `css` and others", `\.py \.js \.go \.ts \.md \.css \.html \.…`),
			`a file with a very long name that nobody has.py`: dot("py", `\.py`),
			`\.env\.local`: "", `\.env.*`: "", `.*env.*`: "", `.key`: "", `obj.key`: "", `.{3}key$`: "", `.environment`: "", `test.js*on`: "", `.(a|b)x?`: "", `make.am`: "", `a.b.c$`: "",
			`npm.run.build`: "", `\.(js|ts)x?$`: "", `[.]d[.]ts$`: "", `.log.*`: "", `.env*ironment`: "", `.env{2}`: "", `.x|.key`: "", `.+\.pem|key`: "", `.pem|key`: dot("pem", `\.pem|key`),
			`git add .`: "", `rm -rf ./x`: "", `.js|.a`: dot("js", `\.js|.a`), `.js|..x`: dot("js", `\.js|..x`),
		},
	}
	for rule, sources := range rules {
		for source, want := range sources {
			if got := show(Pattern(source)); got != want {
				t.Errorf("%s: %q\n got %s\nwant %s", rule, source, got, want)
			}
			if _, err := matcher.Compile("", source); err != nil {
				t.Errorf("%q: %v", source, err)
			}
		}
	}
}

// What is proposed instead of an expression compiles, and is found no fault
// with in its turn.
func TestProposals(t *testing.T) {
	proposal := regexp.MustCompile(" write `([^`…]+)`(?:, for a pipe `([^`…]+)`)?$")
	seen := 0
	for _, source := range []string{
		`(?!rm)`, `ls|(?!rm|mv)`, `(?i)(?!rm).`, `(?!^rm)`, `rm | mv`, `git (push  | pull)`, `git push [main|master]`, `[npm publish]`, `[rm\|mv]`, `\<rm\>`,
		`'command': 'npm'`, `/rm/i`, `/a\/b/i`, `.env.local`, `.env*`, `.env.*`, `.(js|ts)x?$`, `.pem|.key|.p12`, `.d.ts$`, `.*.spec.tsx?$`, `(.json*|.env*)`, `src/.+.ts`, `src/*.ts`, `[A-z]x`,
	} {
		for _, f := range Pattern(source) {
			match := proposal.FindStringSubmatch(f.Message)
			if match == nil {
				t.Errorf("%q: no proposal in %s", source, f.Message)
				continue
			}
			for _, meant := range slices.DeleteFunc(match[1:], func(text string) bool { return text == "" }) {
				if _, err := matcher.Compile("", meant); err != nil || show(Pattern(meant)) != "" {
					t.Errorf("%q: %q is proposed: %v %s", source, meant, err, show(Pattern(meant)))
				}
				seen++
			}
		}
	}
	if seen < 25 {
		t.Errorf("%d proposals", seen)
	}
}
