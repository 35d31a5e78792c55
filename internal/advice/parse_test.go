package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dump formats a tree: the kind and the source of each node.
func dump(n *node) string {
	var inner []string
	for _, child := range n.Children {
		inner = append(inner, dump(child))
	}
	all := strings.Join(inner, " ")
	switch n.Kind {
	case charNode:
		return string(n.Rune)
	case anyNode:
		return "."
	case classNode:
		return "[]"
	case assertNode:
		return "<" + string(n.Rune) + ">"
	case groupNode:
		return "(" + all + ")"
	case lookNode:
		return "(look " + all + ")"
	case altNode:
		return "{" + strings.Join(inner, "|") + "}"
	case repeatNode:
		return fmt.Sprintf("%s*%d,%d", all, n.Min, n.Max)
	case opaqueNode:
		return "?"
	}
	return all
}

func TestParse(t *testing.T) {
	for source, want := range map[string]string{
		``:                        ``,
		`ab`:                      `a b`,
		`a|b|`:                    `{a|b|}`,
		`(a)(?:b)(?P<n>c)(?<m>d)`: `(a) (b) (c) (d)`,
		`a*b+?c?d{2}e{,3}f{1,}`:   `a*0,-1 b*1,-1 c*0,1 d*2,2 e*0,3 f*1,-1`,
		`a{b}{,}`:                 `a { b }*0,-1`,
		`^a$\b\B\A\Z\z`:           `<^> a <$> <b> <B> <A> <Z> <Z>`,
		`.\.\\\/\é`:               `. . \ / é`,
		`\n\t`:                    `[] []`,
		`\w\D`:                    `[] []`,
		`[a-z_]`:                  `[]`,
		`[^]a]`:                   `[]`,
		`[\w\-\]-]`:               `[]`,
		`[a-\x7a\b]`:              `[]`,
		`[[a]`:                    `[]`,
		`(?=a)(?!b)(?<=c)(?<!d)`:  `(look a) (look b) (look c) (look d)`,
		`(?i)a(?-i)b`:             `a b`,
		`a(?i:b)c`:                `a (b) c`,
		`(a(?i)b)c`:               `(a b) c`,
		`(?ms)^.`:                 `<^> .`,
		`(?u)é`:                   `é`,
		`]}`:                      `] }`,
	} {
		root, ok := parse(source)
		if !ok {
			t.Errorf("%s is not understood", source)
			continue
		}
		if diff := cmp.Diff(want, dump(root)); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, source := range []string{`(`, `)`, `a)`, `[a`, `[a-`, `*`, `a**`, `a++`, `\`, `\q`, `\p{L}`, `(?x)a`, `(?#x)a`, `(?P<n>a)(?P=n)`, `\x41`, `\0`, `(?>a)`, `(?(1)a)`, `\x4`, `\xzz`, `\UFFFFFFFF`, `(?i`, `(?P<n`, `(?#`, "\xff", `(a)\1`,
		strings.Repeat("a", 10_000)} {
		if root, ok := parse(source); ok {
			t.Errorf("%.20q is understood as %s", source, dump(root))
		}
	}
}

func TestCoreAndBranches(t *testing.T) {
	for source, want := range map[string]string{
		`a|b`: `a,b`, `^(?:a|b)$`: `a,b`, `((a|b))`: `a,b`, `^a$`: `a`, `x(a|b)`: `x(a|b)`, `^$`: `^$`, `^a|b$`: `^a,b$`,
	} {
		root, ok := parse(source)
		if !ok {
			t.Fatal(source)
		}
		var texts []string
		for _, branch := range root.core().branches() {
			texts = append(texts, branch.text(source))
		}
		if got := strings.Join(texts, ","); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// FuzzParse checks that every node is inside its parent and after its predecessors, and that
// the nodes of a row omit only flags and comments.
func FuzzParse(f *testing.F) {
	for _, source := range []string{`a|b`, `(?i)x{1,2}y`, `[a-z\d]+`, `(?<=a)\b$`, `\x41é(?P<n>.)(?P=n)`, `a(?#c)*`, `[^]]`} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		root, ok := parse(source)
		if !ok {
			return
		}
		if root.Begin != 0 || root.End != len(source) {
			t.Errorf("%q: the root is %d-%d", source, root.Begin, root.End)
		}
		root.walk(func(n *node) {
			at := n.Begin
			for _, child := range n.Children {
				if child.Begin < at || child.End > n.End {
					t.Errorf("%q: %d-%d inside %d-%d", source, child.Begin, child.End, n.Begin, n.End)
				}
				at = child.End
			}
			if n.Kind == repeatNode && len(n.Children) != 1 {
				t.Errorf("%q: %d things repeated", source, len(n.Children))
			}
		})
	})
}
