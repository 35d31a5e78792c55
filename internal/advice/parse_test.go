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
	flags := ""
	for _, f := range []struct {
		on   bool
		text string
	}{{n.Fold, "i"}, {n.Lines, "m"}, {n.DotAll, "s"}} {
		if f.on {
			flags += f.text
		}
	}
	switch n.Kind {
	case charNode:
		return string(n.Rune) + flags
	case anyNode:
		return "." + flags
	case classNode:
		s := "["
		if n.Set.Negated {
			s += "^"
		}
		for _, r := range n.Set.Ranges {
			s += fmt.Sprintf("%c-%c", r.From, r.To)
		}
		return s + "\\" + n.Set.Classes + "]"
	case assertNode:
		return "<" + string(n.Rune) + flags + ">"
	case groupNode:
		return "(" + all + ")"
	case lookNode:
		return fmt.Sprintf("(look behind=%v negative=%v %s)", n.Behind, n.Negative, all)
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
		``:                               ``,
		`ab`:                             `a b`,
		`a|b|`:                           `{a|b|}`,
		`(a)(?:b)(?P<n>c)(?<m>d)`:        `(a) (b) (c) (d)`,
		`a*b+?c?d{2}e{,3}f{1,}`:          `a*0,-1 b*1,-1 c*0,1 d*2,2 e*0,3 f*1,-1`,
		`a{b}{,}`:                        `a { b }*0,-1`,
		`^a$\b\B\A\Z\z`:                  `<^> a <$> <b> <B> <A> <Z> <Z>`,
		`.\.\\\/\é`:                      `. . \ / é`,
		`\n\t\x41\u0041\U00000041\0\012`: "\n \t A A A \x00 \n",
		`\1\12`:                          `? ?`,
		`(?P<n>a)(?P=n)`:                 `(a) ?`,
		`\w\D`:                           `[\w] [\D]`,
		`[a-z_]`:                         `[a-z_-_\]`,
		`[^]a]`:                          `[^]-]a-a\]`,
		`[\w\-\]-]`:                      `[---]-]---\w]`,
		`[a-\x7a\b]`:                     "[a-z\b-\b\\]",
		`[[a]`:                           `[[-[a-a\]`,
		`(?=a)(?!b)(?<=c)(?<!d)`:         `(look behind=false negative=false a) (look behind=false negative=true b) (look behind=true negative=false c) (look behind=true negative=true d)`,
		`(?i)a(?-i)b`:                    `ai b`,
		`a(?i:b)c`:                       `a (bi) c`,
		`(a(?i)b)c`:                      `(a bi) c`,
		`(?ms)^.`:                        `<^ms> .ms`,
		`a(?#x)b`:                        `a b`,
		`(?u)é`:                          `é`,
		`]}`:                             `] }`,
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
	for _, source := range []string{`(`, `)`, `a)`, `[a`, `[a-`, `*`, `a**`, `a++`, `\`, `\q`, `\p{L}`, `(?x)a`, `(?>a)`, `(?(1)a)`, `\x4`, `\xzz`, `\UFFFFFFFF`, `(?i`, `(?P<n`, `(?#`, `[a-\w]`, "\xff",
		strings.Repeat("(", 200) + strings.Repeat(")", 200), strings.Repeat("a", 10_000)} {
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

func TestLiteral(t *testing.T) {
	for source, want := range map[string]string{`ab\.c`: "ab.c", `a.`: "!", `(?i)a`: "!", ``: ""} {
		root, _ := parse(source)
		text, ok := literalText(root.Children)
		if !ok {
			text = "!"
		}
		if text != want {
			t.Errorf("%s: %q, want %q", source, text, want)
		}
	}
}

func TestSet(t *testing.T) {
	for source, want := range map[string]string{
		`[\w\W]`: "full newline", `[^\w\W]`: "empty", `[a]`: "", `[^a]`: "newline", `\s`: "newline", `\S`: "", `[^\s]`: "", `[\n]`: "newline", `\W`: "newline", `[^\n]`: "",
	} {
		root, _ := parse(source)
		s := root.Children[0].Set
		var got []string
		for _, is := range []struct {
			on   bool
			text string
		}{{s.full(), "full"}, {s.empty(), "empty"}, {s.takesNewline() && !s.empty(), "newline"}} {
			if is.on {
				got = append(got, is.text)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %q, want %q", source, text, want)
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
