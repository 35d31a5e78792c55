package install

import "fmt"

// ByHand returns the text to add by hand for an agent without a settings file.
func (t Target) ByHand(o Options) string {
	e := Event{Timeout: maxTimeout}
	words := t.command(o, true, "", e.Timeout)
	if t.closes(o, e) && t.GOOS != "windows" {
		words = closedWords(words)
	}
	return fmt.Sprintf(t.Snippet, jsText(t.shellOf(t.Client).line(words)))
}

// What happens if agent-hooks is missing or fails, for install and doctor.
const (
	ModeOpen   = "these guards fail open if agent-hooks is missing or fails; install --fail-closed blocks"
	ModeClosed = "these guards fail closed: without an answer of agent-hooks, the call is blocked; install --fail-closed=false ends that"
)
