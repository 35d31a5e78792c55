package install

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/settings"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Client says where an agent reads hooks from and how an entry looks there.
// What its events are and how long they may take, package agent says.
type Client struct {
	Name     string   // in package agent
	Title    string   // for people
	Programs []string // on PATH
	Folders  []string // of its settings; one that exists shows that the agent is installed
	Verified string   // the version that the adapter was last run against; "" if it was never run
	Places   []Place
	EventArg bool     // its payloads do not name the event, so the command line does
	Serve    bool     // it talks to one long-lived process
	Windows  shell    // what runs a command line there
	Steps    []Step   // what a person must do
	Switches []Switch // settings that disable hooks
	Strict   strict   // what voids a settings file
	// Since is the first version that knows an event, where an unknown one
	// would disable the whole file.
	Since map[string]string
	// Instead are the events that older versions have in the place of one.
	Instead map[string]string
	// FailClosed is the template of the members by which an entry fails
	// closed, and FailSince the first version that knows them.
	FailClosed, FailSince string
	FailOn                string   // the only event whose entries may have them; "": all
	Reads                 []string // names of the clients whose files it reads as well
	Snippet               string   // what a person must add by hand if there is no file
	Events                []Event  // while package agent has no table of it
	// Headless are the arguments that precede a prompt and start the first of
	// Programs without a terminal; "" if it cannot be started so.
	Headless string
	// listed compares the entries with the agent's own list of its hooks; nil
	// if it has none.
	listed func(ctx context.Context, t Target, dir string, entries []Entry) ([]Finding, error)
}

// Place is one file that install writes.
type Place struct {
	Scope string                                // "user" or "project"
	Path  string                                // with / and a leading ~/ for the home directory; $event for one file per event
	Home  string                                // environment variable that replaces the path's first directory
	When  func(look func(path string) any) bool // whether it is used; nil: always

	Layout  settings.Layout
	Handler string   // template of an entry
	Plain   []string // events without groups, in a layout with groups
	Group   string   // template of a group's own members

	Content func(Writing) string // of a file that is ours as a whole; Handler is ""
	Mode    uint32               // of such a file; 0: 0600
	Cloud   bool                 // a cloud agent reads it: the reviewed branch is the trust boundary
}

// Step is something that a person must do after install.
type Step struct {
	Scope string // "": both
	Text  string
}

// Event is a native event that is registered.
type Event struct {
	Name    string
	Spec    spec.EventType
	Timeout time.Duration
}

// Find returns the client of a name or an alias, nil if there is none.
func Find(name string) *Client {
	all := All()
	named := func(name string) *Client {
		i := slices.IndexFunc(all, func(c *Client) bool { return c.Name == name })
		if i < 0 {
			return nil
		}
		return all[i]
	}
	if c := named(name); c != nil {
		return c
	}
	if a := agent.Find(name); a != nil {
		return named(a.Name)
	}
	return nil
}

// All returns every client, the first tier first.
func All() []*Client { return slices.Concat(firstTier(), secondTier()) }

// Names returns the names of all clients.
func Names() []string {
	var names []string
	for _, c := range All() {
		names = append(names, c.Name)
	}
	return names
}

// Nearest returns the client's name that word was probably meant to be.
func Nearest(word string) (string, bool) {
	if c := Find(strings.ToLower(word)); c != nil {
		return c.Name, true
	}
	for _, name := range Names() {
		if len(word) > 2 && (strings.HasPrefix(name, strings.ToLower(word)) || strings.HasPrefix(strings.ToLower(word), name)) {
			return name, true
		}
	}
	return spec.Nearest(strings.ToLower(word), Names())
}

// Live reports whether the adapter was run against the agent.
func (c *Client) Live() bool { return c.Verified != "" }

const (
	maxTimeout   = 600 * time.Second
	shortTimeout = 60 * time.Second // of an event whose limit nobody states
)

// events returns the events to register: those that stand for one of the 13,
// and the extension events that a hook uses (D49).
func (c *Client) events(used map[spec.EventType]bool) []Event {
	all := c.Events
	if a := agent.Find(c.callAs()); a != nil {
		all = tableEvents(a)
	}
	var events []Event
	for _, e := range all {
		if isCore(e.Spec) || used[e.Spec] {
			e.Timeout = min(e.Timeout, maxTimeout)
			events = append(events, e)
		}
	}
	return events
}

func tableEvents(a *agent.Agent) []Event {
	var events []Event
	for i := range a.Events {
		row := &a.Events[i]
		if len(row.Spec) == 0 || row.Unregistered {
			continue
		}
		timeout := a.Timeout(row)
		if timeout <= 0 {
			timeout = maxTimeout
		}
		events = append(events, Event{row.Name, row.Spec[0], timeout})
	}
	return events
}

// instead returns the events that an older version has in the place of one.
func (c *Client) instead(e Event) []Event {
	var events []Event
	for name := range strings.FieldsSeq(c.Instead[e.Name]) {
		events = append(events, Event{name, e.Spec, e.Timeout})
	}
	return events
}

// knows reports whether a version of the client knows an event. A version
// that cannot be read counts as the verified one.
func (c *Client) knows(event, version string) bool {
	since := c.Since[event]
	return since == "" || version == "" || !olderVersion(version, since)
}

// agents are the names that the client's entries may carry.
func (c *Client) agents() []string {
	names := []string{c.Name}
	if a := agent.Find(c.Name); a != nil {
		names = append(append(names, a.Name), a.Aliases...)
	}
	return append(names, c.callAs())
}

// callAs is the name of the dialect in the command line.
func (c *Client) callAs() string {
	if c.Name == "vscode" {
		return "copilot" // they share their files, and the payload tells them apart
	}
	return c.Name
}

// olderVersion compares the numbers of two versions.
func olderVersion(a, b string) bool {
	x, y := versionNumbers(a), versionNumbers(b)
	for i := range max(len(x), len(y)) {
		switch p, q := numberAt(x, i), numberAt(y, i); {
		case p != q:
			return p < q
		}
	}
	return false
}

func numberAt(numbers []int, i int) int {
	if i < len(numbers) {
		return numbers[i]
	}
	return 0
}

// versionNumbers returns the numbers of the first version in a text.
func versionNumbers(text string) []int {
	var numbers []int
	for word := range strings.FieldsFuncSeq(FindVersion(text), func(r rune) bool { return r == '.' }) {
		n := 0
		for _, r := range word {
			n = min(n*10+int(r-'0'), 1<<30)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// FindVersion returns the first number with a dot in a text: "2.1.329".
func FindVersion(text string) string {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
		if word = strings.Trim(word, "."); strings.Contains(word, ".") {
			return word
		}
	}
	return ""
}

// SameAgent reports whether a name in the run log is that of the agent.
func SameAgent(name, logged string) bool {
	c := Find(name)
	return c != nil && slices.Contains(c.agents(), logged)
}
