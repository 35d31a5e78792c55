package matcher

import (
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestFind(t *testing.T) {
	soon := func() time.Time { return time.Now().Add(10 * time.Second) }
	for _, test := range []struct{ source, text, before, found string }{
		{`b+`, "aabbc", "aa", "bb"},
		{`本+`, "日本本x", "日", "本本"},
		{`x`, "\xff\xfex", "\xff\xfe", "x"},
		{`$`, "ab", "ab", ""},
		{`(?P<v>a)(?P=v)`, "baa", "b", "aa"},
	} {
		begin, end, ok := Find(test.source, test.text, soon())
		if !ok || test.text[:begin] != test.before || test.text[begin:end] != test.found {
			t.Errorf("%q in %q: %d-%d, %v", test.source, test.text, begin, end, ok)
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
		if _, _, ok := Find(test.source, test.text, test.deadline); ok {
			t.Errorf("%q is found", test.source)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%q took %v", test.source, took)
		}
	}
}
