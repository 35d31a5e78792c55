package install

import "fmt"

// ByHand returns the text to add by hand for an agent without a settings file.
func (t Target) ByHand(o Options) string {
	e := Event{Timeout: maxTimeout}
	words := t.calls(o, Place{}).words(t.Agent.Name, "", e.Timeout)
	return fmt.Sprintf(t.Snippet, jsText(t.shellOf(t.Client).line(words)))
}

// WhyOpen returns why the agent cannot fail closed.
func (t Target) WhyOpen() string {
	switch {
	case !t.inPlugin() && t.FailClosed == nil:
		return t.Title + " cannot block calls that its hooks could not check"
	case t.Version == "":
		return "the version of " + t.Title + " is unknown, and older ones lack the setting"
	}
	return fmt.Sprintf("%s %s lacks the setting, which needs %s", t.Title, t.Version, t.FailSince)
}
