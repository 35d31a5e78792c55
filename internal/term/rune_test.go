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
