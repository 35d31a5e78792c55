package term

import "testing"

func TestRuneWidth(t *testing.T) {
	for r, want := range map[rune]int{
		'a': 1, 'é': 1, '…': 1, '\t': 1,
		'機': 2, 'ｗ': 2, '한': 2, 'ᄒ': 2, '🚀': 2,
		'\u0301': 0, '\u200d': 0, '\u1161': 0, '\u11ab': 0,
	} {
		if got := RuneWidth(r); got != want {
			t.Errorf("%q: got %d, want %d", r, got, want)
		}
	}
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "ｆ": 2, "ﾊ": 1, "🙂": 2, "한": 2, "…": 1} {
		if got := Width(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	for n, want := range map[int]string{1: "…", 2: "…", 3: "日…", 4: "日…", 5: "日本…", 6: "日本語"} {
		if got := CutTo("日本語", n); got != want {
			t.Errorf("to %d: got %q, want %q", n, got, want)
		}
	}
}
