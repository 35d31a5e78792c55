package matcher

import (
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestFinds(t *testing.T) {
	soon := func() time.Time { return time.Now().Add(10 * time.Second) }
	for source, text := range map[string]string{`b+`: "aabbc", `x`: "\xff\xfex", `$`: "ab", `(?P<v>a)(?P=v)`: "baa"} {
		if !Finds(source, text, soon()) {
			t.Errorf("%q is not found in %q", source, text)
		}
	}
	for _, test := range []struct {
		source, text string
		deadline     time.Time
	}{
		{"x", "y", soon()},
		{"(", "(", soon()},
		{"x", "x", time.Now().Add(-time.Second)},
		{"x", strings.Repeat("x", spec.MaxSearched+1), soon()},
		{"^(a+)+$", strings.Repeat("a", 100) + "!", time.Now().Add(50 * time.Millisecond)},
	} {
		began := time.Now()
		if Finds(test.source, test.text, test.deadline) {
			t.Errorf("%q is found", test.source)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%q took %v", test.source, took)
		}
	}
}
