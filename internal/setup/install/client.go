package install

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Client describes where an agent reads hooks from and the form of an entry.
// Package agent defines its events and their timeouts.
type Client struct {
	Name     string   // in package agent
	Title    string   // display name
	Programs []string // program names on PATH
	Folders  []string // settings folders; if one exists, the agent is installed
	Verified string   // the version that the adapter was last run against; "" if never
	Places   []Place
	EventArg bool     // the command line names the event, because payloads do not
	Serve    bool     // it uses one long-running process
	Windows  shell    // the shell that runs a command line on Windows
	Steps    []Step   // manual steps
	Switches []Switch // settings that disable hooks
	Strict   strict   // properties that invalidate a settings file
	// Since is the first version that knows an event, for agents in which an
	// unknown event would disable the whole file.
	Since map[string]string
	// Instead contains, by event, the events that older versions have instead,
	// separated by spaces.
	Instead map[string]string
	// FailClosed is the template of the members that make an entry fail closed,
	// FailSince the first version that supports them.
	FailClosed, FailSince string
	FailOn                string   // the only event whose entries may have them; "" means all
	Reviews               bool     // it runs only entries that the user reviewed in it, and a changed one not before
	Reads                 []string // names of other clients whose files it also reads
	Snippet               string   // text to add by hand if there is no file
	// Headless are the arguments that precede a prompt and run the first of
	// Programs without a terminal; "" if that is not possible.
	Headless string
	// listed compares the entries with the agent's own list of its hooks; nil
	// if the agent has no list.
	listed func(ctx context.Context, t Target, dir string, entries []Entry) ([]Finding, error)
}

// Place is one file that install writes.
type Place struct {
	Scope string                                // "user" or "project"
	Path  string                                // with / separators, and a leading ~/ for the home directory; $event for one file per event
	Home  string                                // environment variable that replaces the path's first directory
	When  func(look func(path string) any) bool // reports whether it is used; nil: always

	Layout  settings.Layout
	Handler string   // template of an entry
	Plain   []string // events without groups, in a layout with groups
	Group   string   // template of the other members of a group

	Content func(Writing) string // content of a file that is entirely ours; Handler is then ""
	Mode    uint32               // of such a file; 0: 0600
	Cloud   bool                 // a cloud agent reads it, so the reviewed branch is the trust boundary
}

// Step is a manual step after install.
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

// Find returns the client with a name or an alias, nil if there is none.
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

// All returns every client, with the first tier first.
func All() []*Client { return slices.Concat(firstTier(), secondTier()) }

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
	for _, name := range Names() {
		if len(word) > 2 && (strings.HasPrefix(name, strings.ToLower(word)) || strings.HasPrefix(strings.ToLower(word), name)) {
			return name, true
		}
	}
	return near.Word(strings.ToLower(word), Names())
}

// Live reports whether the adapter was run against the agent.
func (c *Client) Live() bool { return c.Verified != "" }

const (
	maxTimeout   = 600 * time.Second
	shortTimeout = 60 * time.Second // for an event whose limit is not documented
)

// events returns the events to register: those that correspond to one of the
// 13, and the extension events that a hook uses (D49).
func (c *Client) events(used map[spec.EventType]bool) []Event {
	var events []Event
	for _, e := range tableEvents(agent.Find(c.callAs())) {
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

// instead returns the events that an older version has instead of e.
func (c *Client) instead(e Event) []Event {
	var events []Event
	for name := range strings.FieldsSeq(c.Instead[e.Name]) {
		events = append(events, Event{name, e.Spec, e.Timeout})
	}
	return events
}

// supports reports whether a version of the client supports an event. An
// unreadable version counts as the verified one.
func (c *Client) supports(event, version string) bool {
	since := c.Since[event]
	return since == "" || version == "" || !olderVersion(version, since)
}

// agents returns the agent names that may appear in the client's entries.
func (c *Client) agents() []string {
	names := []string{c.Name}
	if a := agent.Find(c.Name); a != nil {
		names = append(append(names, a.Name), a.Aliases...)
	}
	return append(names, c.callAs())
}

// callAs returns the name of the dialect on the command line.
func (c *Client) callAs() string {
	if c.Name == "vscode" {
		return "copilot" // they share their files, and the payload distinguishes them
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

// versionNumbers returns the components of the first version in a text.
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

// FindVersion returns the first dotted number in a text: "2.1.329".
func FindVersion(text string) string {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
		if word = strings.Trim(word, "."); strings.Contains(word, ".") {
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
