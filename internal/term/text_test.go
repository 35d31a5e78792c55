package term

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

func TestEncodeJSONShowsWhatIsHidden(t *testing.T) {
	const hostile = "a\x1b\r\n\t\u009b\u202e\u2066\ufeff\U000e0041é日<\x7f\u00a0z"
	text, err := JSON(map[string]string{hostile: hostile})
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsFunc(strings.ReplaceAll(string(text), "\n", ""), shown.Hidden) {
		t.Errorf("%q", text)
	}
	if !strings.Contains(string(text), `\u202e\u2066\ufeff\udb40\udc41é日<\u007f\u00a0z`) {
		t.Errorf("%s", text)
	}
	var back map[string]string
	if err := json.Unmarshal(text, &back); err != nil || back[hostile] != hostile {
		t.Errorf("%q, %v", back, err)
	}
}
