package agent

import "testing"

// TestNamed checks that a reason names its hook once (D44).
func TestNamed(t *testing.T) {
	for _, test := range []struct{ hook, reason, want string }{
		{"guard", "no", "hook guard: no"},
		{"guard", "hook guard: no", "hook guard: no"},
		{"guard", "blocked by guard: no", "blocked by guard: no"},
		{"guard", "blocked by hook guard", "blocked by hook guard"},
		{"guard", "blocked by guards: no", "hook guard: blocked by guards: no"},
		{"", "no", "agent-hooks: no"},
	} {
		if got := named(test.hook, test.reason); got != test.want {
			t.Errorf("named(%q, %q) = %q, want %q", test.hook, test.reason, got, test.want)
		}
	}
}
