package install

import "fmt"

// ByHand says what a person must add for an agent that has no settings file.
func (t Target) ByHand(o Options) string {
	e := Event{Timeout: maxTimeout}
	words := t.calls(o, Place{}).words(t.callAs(), "", e.Timeout)
	return fmt.Sprintf(t.Snippet, jsText(t.shellOf(t.Client).line(words)))
}

// WhyOpen says why the agent cannot fail closed.
func (t Target) WhyOpen() string {
	switch {
	case t.FailClosed == "":
		return t.Title + " cannot refuse what its hooks could not judge"
	case t.Version == "":
		return "the version of " + t.Title + " is not known, and older ones do not know the setting"
	}
	return fmt.Sprintf("%s %s does not know the setting; it needs %s", t.Title, t.Version, t.FailSince)
}
