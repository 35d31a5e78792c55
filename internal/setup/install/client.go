package install

import (
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Client is a program that calls hooks, as package agent describes it, with the
// places that install writes.
type Client struct {
	agent.Setup
	Agent  *agent.Agent // its dialect
	Places []Place
}

// Place is one file that install writes.
type Place struct {
	*agent.Settings
	Path   string // $event stands for the event, with one file for each
	When   func(look func(path string) any) bool
	Layout settings.Layout
	Group  agent.Form // the other members of a group
	Plain  []string   // events without groups
}

// whole reports whether the file is entirely ours.
func (p Place) whole() bool { return p.Settings.Layout == nil }

// placesOf returns the places that install writes for an agent.
func placesOf(a *agent.Agent) []Place {
	var all []Place
	for i := range a.Settings {
		s := &a.Settings[i]
		p := Place{Settings: s, Path: strings.Replace(s.Path, "*", "agent-hooks", 1), When: s.When}
		if s.PerEvent {
			p.Path += "/$event"
		}
		switch l := s.Layout; {
		case l == nil && s.Plugin == nil && !s.Script && s.Text == "": // it is only read
		case l == nil:
			all = append(all, p)
		default:
			p.Layout = settings.Layout{Format: settings.FormatOf(p.Path), Root: l.Root, Flat: l.Flat, Key: l.Key, Top: values{}.render(l.Top), Pin: values{}.render(l.Pin)}
			p.Group, p.Plain = l.Group, l.Plain
			if l.Grouped {
				p.Layout.Nested = "hooks"
			}
			all = append(all, p)
			if !l.OrTop {
				continue
			}
			when := func(rooted bool) func(func(string) any) bool { // one place for each form of the file
				return func(look func(string) any) bool {
					_, has := settings.At(look(s.Path), l.Root...)
					return has == rooted && (s.When == nil || s.When(look))
				}
			}
			all[len(all)-1].When = when(true)
			p.Layout.Root, p.When = nil, when(false)
			all = append(all, p)
		}
	}
	return all
}

// Event is a native event that is registered.
type Event struct {
	Name    string
	Spec    spec.EventType
	Timeout time.Duration
}

// Find returns the client with a name or an alias, nil if there is none.
func Find(name string) *Client {
	names := []string{name}
	if a := agent.Find(name); a != nil {
		names = append(names, a.Name)
	}
	all := All()
	for _, name := range names {
		if i := slices.IndexFunc(all, func(c *Client) bool { return c.Name == name }); i >= 0 {
			return all[i]
		}
	}
	return nil
}

// All returns every client, in the order of the agents.
func All() []*Client {
	var all []*Client
	for _, a := range agent.All() {
		places := placesOf(a)
		for _, s := range a.Setups() {
			all = append(all, &Client{s, a, places})
		}
	}
	return all
}

// Names returns the names of all clients.
func Names() []string {
	var names []string
	for _, c := range All() {
		names = append(names, c.Name)
	}
	return names
}

// Nearest returns the name of the client that word most likely means.
func Nearest(word string) (string, bool) {
	if c := Find(strings.ToLower(word)); c != nil {
		return c.Name, true
	}
	names := Names()
	for _, name := range names {
		if len(word) > 2 && (strings.HasPrefix(name, strings.ToLower(word)) || strings.HasPrefix(strings.ToLower(word), name)) {
			return name, true
		}
	}
	for _, c := range All() {
		names = append(names, c.Agent.Aliases...)
	}
	near, ok := shown.Near(strings.ToLower(word), names)
	if ok {
		near = Find(near).Name
	}
	return near, ok
}

// Live reports whether the adapter was run against the agent. Another program that reads its files was not.
func (c *Client) Live() bool { return c.Agent.Live && c.Name == c.Agent.Name }

const (
	maxTimeout   = 600 * time.Second
	shortTimeout = 60 * time.Second // for an event whose limit is not documented
)

// events returns the events to register: those that correspond to one of the
// 13, and the extension events that a hook uses (D49). A version that does not have
// one gets the events that it has instead; an unreadable version counts as the
// verified one.
func (c *Client) events(used map[spec.EventType]bool, version string) []Event {
	var events []Event
	for _, row := range c.Agent.Rows() {
		if !row.Registered() {
			continue
		}
		if info, ok := spec.Info(row.Spec()[0]); (!ok || info.Extension) && !used[row.Spec()[0]] {
			continue
		}
		names := []string{row.Name}
		if row.Since != "" && version != "" && olderVersion(version, row.Since) {
			names = strings.Fields(row.Instead)
		}
		for _, name := range names {
			events = append(events, Event{name, row.Spec()[0], min(c.Agent.Timeout(row), maxTimeout)})
		}
	}
	return events
}

// agents returns the agent names that may appear in the client's entries.
func (c *Client) agents() []string {
	return append([]string{c.Name, c.Agent.Name}, c.Agent.Aliases...)
}

// olderVersion compares the numbers of two versions.
func olderVersion(a, b string) bool {
	return slices.Compare(versionNumbers(a), versionNumbers(b)) < 0
}

// versionNumbers returns the components of the first version in a text, without zeros
// at the end.
func versionNumbers(text string) []int {
	var numbers []int
	for word := range strings.FieldsFuncSeq(FindVersion(text), func(r rune) bool { return r == '.' }) {
		n := 0
		for _, r := range word {
			n = min(n*10+int(r-'0'), 1<<30)
		}
		numbers = append(numbers, n)
	}
	for len(numbers) > 0 && numbers[len(numbers)-1] == 0 {
		numbers = numbers[:len(numbers)-1]
	}
	return numbers
}

// FindVersion returns the first dotted number in a text: "2.1.329".
func FindVersion(text string) string {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
		word = strings.Trim(word, ".")
		if strings.Contains(word, ".") {
			return word
		}
	}
	return ""
}

// SameAgent reports whether a name in the run log means the agent.
func SameAgent(name, logged string) bool {
	c := Find(name)
	return c != nil && slices.Contains(c.agents(), logged)
}
