package tree

import (
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

func TestDecode(t *testing.T) {
	for _, text := range []string{"", "\n", "# a comment\n"} {
		if root, err := DecodeYAML([]byte(text)); root != nil || err != nil {
			t.Errorf("%q: got %v, %v", text, root, err)
		}
	}
	for text, want := range map[string]string{
		"a: 1\n---\nb: 2\n": "a second document begins",
		"a: [1\nb: 2\n":     "did not find expected",
	} {
		if _, err := DecodeYAML([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// YAMLProblem returns the first line with which a text cannot be parsed.
func TestProblem(t *testing.T) {
	for _, c := range []struct{ text, at string }{
		{"a: 1\nb: c: d\ne: 2\n", "b: c: d"},
		{"a:\n  - 1\n  b: 2\n", "b: 2"},
		{"a: 1\n---\nb: 2\n", "---"},
		{"\ta: 1\n", "\ta: 1\n"},
	} {
		_, err := DecodeYAML([]byte(c.text))
		if err == nil {
			t.Errorf("%q is taken", c.text)
			continue
		}
		offset, message := YAMLProblem([]byte(c.text), err)
		if !strings.HasPrefix(c.text[offset:], c.at) {
			t.Errorf("%q: blames %q, want %q", c.text, c.text[offset:], c.at)
		}
		if strings.Contains(message, "\n") || strings.Contains(message, "yaml:") || strings.Contains(message, "line ") {
			t.Errorf("%q: got %q", c.text, message)
		}
	}
}

// Offsets are correct after all line ends of YAML and after multi-byte characters.
func TestOffset(t *testing.T) {
	for _, before := range []string{"", "a: 1\n", "a: 1\r\n", "a: 1\r", "a: 1\u2028", "a: 1\u0085", "ä: ö # ü\n\n"} {
		text := []byte(before + "ключ: here\n")
		root, err := DecodeYAML(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var here *yaml.Node
		for _, n := range root.Content {
			if n.Value == "here" {
				here = n
			}
		}
		if here == nil {
			t.Fatalf("%q has no such value", text)
		}
		if at := NewPositions(text, 0).Offset(here); !strings.HasPrefix(string(text[at:]), "here") {
			t.Errorf("%q: got %q", text, text[at:])
		}
	}
}

// TestOneLine checks that all positions in one long line take one pass, instead of one pass each.
func TestOneLine(t *testing.T) {
	text := []byte("ä: [" + strings.Repeat("1,", 200_000) + "here]\n")
	root, err := DecodeYAML(text)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	positions := NewPositions(text, 0)
	last := 0
	for _, n := range root.Content[1].Content {
		last = positions.Offset(n)
	}
	cursor := NewCursor(text)
	for offset := range text {
		cursor.Position(offset)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if !strings.HasPrefix(string(text[last:]), "here") {
		t.Errorf("the last value is at %d", last)
	}
}
