package tree

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestScalar(t *testing.T) {
	for _, s := range []string{
		``, `npm\s+publish`, `^rm`, `\.py$`, `"file_path": ".*\.py"`, `(?m)^rm`, `a: b`, `a #b`, `it's`, `'x'`, `[ab]+`, `{a}`, ` x`, `x `, `x:`, `*`, `&a`, `-x`, `?x`,
		`%x`, `@x`, "`x`", `!x`, `|x`, `>x`, `#x`, `,x`, `a, b`, `true`, `No`, `5`, `1e3`, `+1`, `.5`, `2020-01-01`, `<<`, `0x1F`, `~`, `=`, `危険`,
		"a\nb", "\t", "a\tb", "\x00\x1b\x7f", "\u0085\u2028\u202e\ufeff", "\\ \"\n", "\U000e0001", "\ufffd",
	} {
		for _, text := range []string{YAML(s), QuotedYAML(s)} {
			var got struct{ Pattern yaml.Node }
			if err := yaml.Unmarshal([]byte("pattern: "+text+"\n"), &got); err != nil || got.Pattern.Value != s || got.Pattern.ShortTag() != "!!str" {
				t.Errorf("%s is read as %s %q, %v", text, got.Pattern.ShortTag(), got.Pattern.Value, err)
			}
		}
	}
	if got := YAML("a\xffb"); got != `"a`+"\ufffd"+`b"` {
		t.Errorf("%q", got)
	}
}
