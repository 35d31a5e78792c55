package install

import "fmt"

// ByHand returns the text to add by hand for an agent without a settings file.
func (t Target) ByHand(o Options) string {
	e := Event{Timeout: maxTimeout}
	words := t.calls(o, Place{}).words(t.callAs(), "", e.Timeout)
	return fmt.Sprintf(t.Snippet, jsText(t.shellOf(t.Client).line(words)))
}

// WhyOpen returns why the agent cannot fail closed.
func (t Target) WhyOpen() string {
	switch {
	case t.FailClosed == "":
		return t.Title + " cannot refuse what its hooks could not judge"
	case t.Version == "":
		return "the version of " + t.Title + " is not known, and older ones do not know the setting"
	}
	return fmt.Sprintf("%s %s does not know the setting; it needs %s", t.Title, t.Version, t.FailSince)
}
