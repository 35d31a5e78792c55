package tree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// TestPositions checks where values are, and the tables of lists.
func TestPositions(t *testing.T) {
	text := "# top\na = [ # ]\n  {b = 1, c = []}, # [\n]\n[[d.e]]\nf = 1\n[d.e.g]\nh = \"\"\"\n\"\"\" # end\n\n[[d.e]]\n[other]\n"
	root, err := ReadTOML([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	part := func(from, to int) string { return text[from:to] }
	a, e := root.Member("a"), root.Member("d").Member("e")
	inline := a.Children[0]
	for got, want := range map[string]string{
		part(a.Start, a.End):                                           "[ # ]\n  {b = 1, c = []}, # [\n]",
		part(inline.Start, inline.End):                                 "{b = 1, c = []}",
		part(inline.Member("c").Begin, inline.Member("c").End):         "c = []",
		part(e.Children[0].Begin, e.Children[0].After):                 "d.e]]\nf = 1\n[d.e.g]\nh = \"\"\"\n\"\"\" # end\n",
		part(e.Children[1].Begin, e.Children[1].After):                 "d.e]]\n",
		part(root.Member("other").Begin, root.Member("other").Begin+5): "other",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// FuzzPositions compares the tree with the decoder: both have the same values.
func FuzzPositions(f *testing.F) {
	f.Add("a = 1\n[b]\n'c' = [1, {d = 2}]\n[[e]]\nf = '''x\ny'''\n[[e]]\nf.g = \"]\\\"\"\n[e.h]\n")
	f.Add("a = {b = [ [1], # ]\n [2]]}\n\"c\" = 'd=\"'\nx = 1979-05-27T07:32:00Z\n")
	f.Add("\"\"\"\" = 1")
	f.Add("[a]\n'' = [0, {b = 0}]")
	f.Fuzz(func(t *testing.T, text string) {
		// A byte-order mark is removed before, and a key with quotes or escapes is identified
		// only by its value.
		if strings.ContainsAny(text, "\\\ufeff") || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return
		}
		root, err := ReadTOML([]byte(text))
		if err != nil {
			return
		}
		var document map[string]any
		if err := toml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		compare(t, "", text, root, document)
	})
}

func compare(t *testing.T, path, text string, n *Node, value any) {
	if n == nil {
		if !strings.ContainsAny(path, "\"'") {
			t.Errorf("%q has no position", path)
		}
		return
	}
	if open := text[n.Start:]; n.Flow && (strings.IndexByte("[{", open[0]) < 0 || strings.IndexByte("]}", text[n.End-1]) < 0) {
		t.Errorf("%q is in %q", path, text[n.Start:n.End])
	}
	switch v := value.(type) {
	case map[string]any:
		for key, value := range v {
			if key == "" { // the decoder loses the other elements of [1, {}] there
				continue
			}
			compare(t, path+"."+key, text, n.Member(key), value)
		}
	case []any:
		for i, value := range v {
			compare(t, path, text, n.Children[i], value)
		}
	case []map[string]any:
		for i, value := range v {
			compare(t, path, text, n.Children[i], value)
		}
	case string, bool:
		if n.Decode() != value {
			t.Errorf("%q is %v, not %v", path, n.Decode(), value)
		}
	case int64:
		if n.Decode() != float64(v) || n.Tag != Int {
			t.Errorf("%q is %v, not %v", path, n.Decode(), value)
		}
	case float64:
		if n.Decode() != value && n.Decode() != n.Text {
			t.Errorf("%q is %v, not %v", path, n.Decode(), fmt.Sprint(value))
		}
	}
}
