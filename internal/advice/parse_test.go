package advice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dump formats the alternatives of an expression: the kind and the source of each item.
func dump(rows []row) string {
	var all []string
	for _, r := range rows {
		var items []string
		for _, i := range r.items {
			text := string(i.char)
			switch i.kind {
			case dot:
				text = "."
			case class:
				text = "[]"
			case assertion:
				text = "<" + text + ">"
			case group:
				text = "(" + dump(i.rows) + ")"
			case look:
				text = "(look " + dump(i.rows) + ")"
			}
			if i.quantifier != "" {
				least, endless := i.counts()
				text += fmt.Sprintf("*%d,%t", least, endless)
			}
			items = append(items, text)
		}
		all = append(all, strings.Join(items, " "))
	}
	return strings.Join(all, "|")
}

func TestParse(t *testing.T) {
	for source, want := range map[string]string{
		``:                        ``,
		`ab`:                      `a b`,
		`a|b|`:                    `a|b|`,
		`(a)(?:b)(?P<n>c)(?<m>d)`: `(a) (b) (c) (d)`,
		`a*b+?c?d{2}e{,3}f{1,}`:   `a*0,true b*1,true c*0,false d*2,false e*0,false f*1,true`,
		`a{b}{,}`:                 `a { b }*0,true`,
		`^a$\b\B\A\Z\z`:           `<^> a <$> <b> <B> <A> <Z> <z>`,
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
		x, ok := parse(source)
		if !ok {
			t.Errorf("%s is not understood", source)
			continue
		}
		if diff := cmp.Diff(want, dump(x.rows)); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, source := range []string{`(`, `)`, `a)`, `[a`, `[a-`, `*`, `a**`, `a++`, `\`, `\q`, `\p{L}`, `(?x)a`, `(?#x)a`, `(?P<n>a)(?P=n)`, `\x41`, `\0`, `(?>a)`, `(?(1)a)`, `\x4`, `\xzz`, `\UFFFFFFFF`, `(?i`, `(?P<n`, `(?#`, "\xff", `(a)\1`,
		strings.Repeat("a", 10_000)} {
		if x, ok := parse(source); ok {
			t.Errorf("%.20q is understood as %s", source, dump(x.rows))
		}
	}
}

func TestCoreAndBranches(t *testing.T) {
	for source, want := range map[string]string{
		`a|b`: `a,b`, `^(?:a|b)$`: `a,b`, `((a|b))`: `a,b`, `^a$`: `^a$`, `x(a|b)`: `x(a|b)`, `^$`: `^$`, `^a|b$`: `^a,b$`,
	} {
		x, ok := parse(source)
		if !ok {
			t.Fatal(source)
		}
		var texts []string
		for _, branch := range x.core() {
			texts = append(texts, source[branch.begin:branch.end])
		}
		if got := strings.Join(texts, ","); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// FuzzParse checks that every item is inside its row and after its predecessor.
func FuzzParse(f *testing.F) {
	for _, source := range []string{`a|b`, `(?i)x{1,2}y`, `[a-z\d]+`, `(?<=a)\b$`, `\x41é(?P<n>.)(?P=n)`, `a(?#c)*`, `[^]]`} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		x, ok := parse(source)
		if !ok {
			return
		}
		if x.rows[0].begin != 0 || x.rows[len(x.rows)-1].end != len(source) {
			t.Errorf("%q: the alternatives are %d-%d", source, x.rows[0].begin, x.rows[len(x.rows)-1].end)
		}
		walk(x.rows, func(r row) {
			at := r.begin
			for _, i := range r.items {
				if i.begin < at || i.atom <= i.begin || i.end < i.atom || i.end > r.end {
					t.Errorf("%q: %d-%d-%d inside %d-%d", source, i.begin, i.atom, i.end, at, r.end)
				}
				at = i.end
			}
		})
	})
}
