package protocol

import (
	"errors"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

// TestClassQuotesNothing checks that a failure's class, which is logged, quotes
// nothing of a hook's output (D33).
func TestClassQuotesNothing(t *testing.T) {
	for name, exit := range map[string]Exit{
		"exit status 3":                {Status: 3, Stderr: []byte("secret")},
		"bad answer: unknown decision": {Stdout: []byte(`{"decision": "secret"}`)},
	} {
		_, _, err := Judge(spec.PreToolCall, "h", exit)
		var quoting *QuotingError
		if !errors.As(err, &quoting) || quoting.Class != name || !strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %#v", name, err)
		}
	}
	for _, exit := range []Exit{
		{Status: 3, Stdout: []byte("secret")},
		{Stdout: []byte(`{"secret`)},
		{Stdout: []byte(`{"secret": 1}`)},
		{Stdout: []byte(`{"Decision": "secret"}`)},
		{Stdout: []byte(`{"reason": ["secret"]}`)},
		{Stdout: []byte(`{"continue": "secret"}`)},
		{Stdout: []byte(`{"decision": ["secret"]}`)},
		{Stdout: []byte(`{"modified_input": "secret"}`)},
		{Stdout: []byte("secret"), Dropped: 7},
	} {
		_, _, err := Judge(spec.PreToolCall, "h", exit)
		var quoting *QuotingError
		class := ""
		if errors.As(err, &quoting) {
			class = quoting.Class
		} else if err != nil {
			class = err.Error()
		}
		if class == "" || strings.Contains(class, "secret") {
			t.Errorf("%s: got the class %q of %v", exit.Stdout, class, err)
		}
	}
}
