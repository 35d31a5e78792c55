package record

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestTimeIsLinear uses hostile texts of the maximum size, without LONG_TESTS of an eighth of it.
// The limit is generous: quadratic time would take minutes for the maximum.
func TestTimeIsLinear(t *testing.T) {
	size := maxScanned / 8
	if os.Getenv("LONG_TESTS") != "" {
		size = maxScanned
	}
	for _, part := range []string{"token=a ", `token="`, "token='$( ", "://", "://a:", "-----END PRIVATE KEY-----", "-----BEGIN ", "curl -u a ", "password:\n", `\\"token="`, "bearer ", "tokens=[", `tokens=["`, "<token>", "key: ", "password: |\n", "--token ", "eyJ", "sk-", "token=\\\n", "redis-cli -a ", "echo | sudo -S ", "sudo -S <<<", "htpasswd -b a ", "kubectl secret --from-literal=a", "machine ", "machine a login ", "1:AA", "a_key=a", "vault login ", "zip \"", "A_KEY=a ", "A_KEY=", "?sig=", "token=", "token=env.", "curl -u [ ", "'cookie:' ", "'token:' "} {
		text := strings.Repeat(part, size/len(part)) + "(" // as at the end of a call, which is not a secret
		began := time.Now()
		Text(text)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%q: %v", part, took)
		}
	}
}

// TestLongLines checks that quotes are counted correctly if the beginning of a line is too far
// away.
func TestLongLines(t *testing.T) {
	for _, before := range []string{`a="b" `, `a="b`, `x' `, "don't "} {
		for n := range 5 {
			line := strings.Repeat(before, 600) + strings.Repeat("-", n) + ` PASSWORD="hunter2" x='y'`
			if got, _ := Text(line); strings.Contains(got, "hunter2") {
				t.Errorf("%q and %d: %q", before, n, got[len(got)-60:])
			}
		}
	}
}
