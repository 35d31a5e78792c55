package trust

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	numbers := func(changed ...int) string {
		var b strings.Builder
		for i := 1; i <= 20; i++ {
			if slices.Contains(changed, i) {
				fmt.Fprintf(&b, "new %d\n", i)
			} else {
				fmt.Fprintf(&b, "%d\n", i)
			}
		}
		return b.String()
	}
	tests := []struct {
		name, old, new string
		want           []string
	}{
		{"same", "a\nb\n", "a\nb\n", nil},
		{"both empty", "", "", nil},
		{"from nothing", "", "a\n", []string{"@@ -0,0 +1,1 @@", "+a"}},
		{"to nothing", "a\n", "", []string{"@@ -1,1 +0,0 @@", "-a"}},
		{"last line end", "a\n", "a", []string{"@@ -1,1 +1,1 @@", "-a", "+a", NoNewline}},
		{"one", numbers(), numbers(10), []string{"@@ -7,7 +7,7 @@", " 7", " 8", " 9", "-10", "+new 10", " 11", " 12", " 13"}},
		{"two hunks", numbers(), numbers(1, 20), []string{"@@ -1,4 +1,4 @@", "-1", "+new 1", " 2", " 3", " 4", "@@ -17,4 +17,4 @@", " 17", " 18", " 19", "-20", "+new 20"}},
		{"one hunk", numbers(), numbers(5, 11), []string{"@@ -2,13 +2,13 @@", " 2", " 3", " 4", "-5", "+new 5", " 6", " 7", " 8", " 9", " 10", "-11", "+new 11", " 12", " 13", " 14"}},
	}
	for _, test := range tests {
		if got := Diff(test.old, test.new); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant:\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// A diff of files with more differences than the table's limit is still complete.
func TestDiffOfLargeFiles(t *testing.T) {
	a, b := strings.Repeat("a\n", 3000), strings.Repeat("b\n", 3000)
	if got := Diff(a, b); len(got) != 6001 {
		t.Errorf("%d lines, want 6001", len(got))
	}
}

// FuzzDiff checks that patch(1) converts old to new with the diff, and that the diff contains
// all of new.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nc\nd\ne\nf\nX\ng\nh\n")
	f.Add("", "x\n")
	f.Add("x\nx\nx\n", "x\n")
	f.Fuzz(func(t *testing.T, old, new string) {
		if len(old)+len(new) > 2000 {
			return
		}
		hunks := Diff(old, new)
		if (len(hunks) == 0) != (old == new) {
			t.Errorf("a change from %q to %q is not shown", old, new)
		}
		if got := patched(t, old, hunks); got != new {
			t.Errorf("the hunks from %q to %q make %q", old, new, got)
		}
	})
}

// patched applies hunks to a text, and checks the lines that they say are in it.
func patched(t *testing.T, old string, hunks []string) string {
	t.Helper()
	rest := slices.Collect(strings.Lines(old))
	at := 0 // the number of old lines before rest
	var out []string
	for i, line := range hunks {
		text := line[1:] + "\n"
		if i+1 < len(hunks) && hunks[i+1] == NoNewline {
			text = line[1:]
		}
		switch line[0] {
		case '@':
			var first, count int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &first, &count); err != nil {
				t.Fatal(err)
			}
			if count > 0 {
				first--
			}
			out, rest, at = append(out, rest[:first-at]...), rest[first-at:], first
		case '+':
			out = append(out, text)
		case ' ', '-':
			if rest[0] != text {
				t.Fatalf("the hunk has %q, the text %q", text, rest[0])
			}
			if line[0] == ' ' {
				out = append(out, text)
			}
			rest, at = rest[1:], at+1
		}
	}
	return strings.Join(append(out, rest...), "")
}

func TestDiffIsOneForPatch(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch(1)")
	}
	old := "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n"
	for _, new := range []string{"a\n", "x\n" + old, old + "x\n", "a\nb\nX\nd\ne\nf\ng\nh\ni\nj\nk\nm\n", ""} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(patch, "-s", path)
		cmd.Stdin = strings.NewReader("--- f\n+++ f\n" + strings.Join(Diff(old, new), "\n") + "\n")
		out, err := cmd.CombinedOutput()
		got, _ := os.ReadFile(path)
		if string(got) != new {
			t.Errorf("patch returned %q, want %q: %v %s", got, new, err, out)
		}
	}
}
