package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// artifact is one file, with the data needed to write it.
type artifact struct {
	path   string
	place  Place
	events []Event
	mode   fs.FileMode
	lists  []settings.List // wanted entries; set by fill
	whole  string          // wanted content of a file that is entirely ours; set by fill
}

// managed is the scope of the administrator's settings (D82).
const managed = "managed"

// ErrNoManaged means that an agent has no managed settings on this system.
var ErrNoManaged = errors.New("it has no managed settings here; the users' own entries run the managed hooks, and users can remove them")

// errUserOnly means that an agent reads no hooks from a project.
var errUserOnly = errors.New("it reads hooks only from the user's settings")

// Target is an agent in which to install or uninstall.
type Target struct {
	System
	*Client
	Found
}

// Target locates an agent.
func (s System) Target(c *Client) Target { return Target{s, c, s.Locate(c)} }

// command returns the words of the command line for one event.
func (t Target) command(o Options, trust bool, event string, timeout time.Duration) []string {
	words := []string{o.Program, "run", "--agent", t.Agent.Name}
	if o.shares() {
		words[0] = "agent-hooks"
	}
	if event != "" {
		words = append(words, event)
	}
	if o.Scope == managed {
		words = append(words, "--scope", managed)
		if o.RequireHooks {
			words = append(words, "--require-hooks")
		}
	} else if trust {
		words = append(words, "--require-trust")
	}
	options := [][2]string{{"--config-dir", t.ConfigDir}, {"--state-dir", t.StateHome}, {"--ask", o.Ask}, {"--modify", o.Modify}}
	if o.Scope != "user" {
		options = options[2:]
	}
	for _, option := range options {
		if option[1] != "" {
			words = append(words, option[:]...)
		}
	}
	return append(words, "--deadline", strconv.FormatInt(deadline(timeout).Milliseconds(), 10))
}

// eventArg returns the event for the command line of an agent whose payloads do
// not name it.
func (t Target) eventArg(e Event) string {
	if t.Agent.NamesEvent() {
		return ""
	}
	return e.Name
}

// artifacts returns the files to write for the target.
func (t Target) artifacts(o Options) ([]artifact, error) {
	if len(t.Places) == 0 {
		return nil, nil
	}
	var all []artifact
	for _, p := range t.Places {
		if p.Scope() != o.Scope || o.Scope == managed && t.GOOS == "windows" || !t.used(p) {
			continue
		}
		if strings.HasPrefix(p.Path, "~/") && t.Home == "" && t.replaced(p.Home) == "" {
			return nil, errors.New("HOME is not set to an absolute path, so the user's settings cannot be found")
		}
		all = append(all, t.filesOf(p, o)...)
	}
	if o.Scope == "project" {
		if i := slices.IndexFunc(all, func(a artifact) bool { return t.isUsers(a.path) }); i >= 0 {
			return nil, fmt.Errorf("%s is your own settings file, because this project is your home directory; use: agent-hooks install %s", all[i].path, t.Name)
		}
	}
	if len(all) == 0 && o.Scope == managed {
		return nil, ErrNoManaged
	}
	if len(all) == 0 {
		return nil, errUserOnly
	}
	for i := range all {
		t.fill(&all[i], o)
	}
	return all, nil
}

// filesOf returns the files of a place, without their content: one, or one per event.
func (t Target) filesOf(p Place, o Options) []artifact {
	a := artifact{path: t.Expand(p.Path, p.Home), place: p, events: t.known(o), mode: 0o644}
	if o.Scope == "user" { // other users may read a project's and a managed file
		a.mode = 0o600
	}
	if !p.whole() {
		return []artifact{a}
	}
	if p.Script {
		a.mode = 0o755
	}
	if !strings.Contains(p.Path, "$event") {
		a.path = t.scriptPath(a.path)
		return []artifact{a}
	}
	var all []artifact
	for _, e := range a.events {
		one := a
		one.path, one.events = strings.ReplaceAll(a.path, "$event", e.Name), []Event{e}
		if t.GOOS == "windows" {
			one.path += ".ps1"
		}
		all = append(all, one)
	}
	return all
}

// fill sets the content of a file.
func (t Target) fill(a *artifact, o Options) {
	switch p := a.place; {
	case !p.whole():
		a.lists = t.lists(p, o, a.events)
	case strings.Contains(p.Path, "$event"):
		e := a.events[0]
		a.whole = t.script(o, t.command(o, !p.Cloud, t.eventArg(e), e.Timeout), t.absent(o, e), t.closes(o, e))
	case p.Settings.Plugin != nil:
		a.whole = t.plugin(p, o, a.events)
	case p.Script:
		closes := t.closes(o, Event{})
		without := absence{blocks: closes}
		if first := t.firstEvent(o); !o.shares() && first != "" { // the payload names its event
			without = absence{note: t.missing(o), only: first}
		}
		a.whole = t.script(o, t.command(o, !p.Cloud, "", maxTimeout), without, closes)
	default:
		a.whole = p.Text
	}
}

// known returns the events that the installed version supports.
func (t Target) known(o Options) []Event { return t.events(o.Used, t.Version) }

// lists returns the lists of a settings file with their wanted entries.
func (t Target) lists(p Place, o Options, events []Event) []settings.List {
	var lists []settings.List
	form := p.Entry
	if t.GOOS == "windows" && p.WindowsEntry != nil {
		form = p.WindowsEntry
	}
	for _, e := range events {
		v := t.values(p, o, e)
		handler := v.render(form)
		if o.FailClosed && !t.inPlugin() && t.hasSetting() && (t.FailOn == "" || t.FailOn == e.Name) {
			handler = append(handler, v.render(t.FailClosed)...)
		}
		list := settings.List{Path: slices.Clone(p.Layout.Root), Want: []settings.Object{handler}}
		switch {
		case p.Layout.Key != "":
			return []settings.List{list}
		case p.Layout.Flat && len(lists) > 0:
			lists[0].Want = append(lists[0].Want, handler)
			continue
		case !p.Layout.Flat:
			list.Path = append(list.Path, e.Name)
			list.Plain = slices.Contains(p.Plain, e.Name)
			list.Group = values{event: e}.render(p.Group)
		}
		lists = append(lists, list)
	}
	return lists
}

// inPlugin reports whether the agent's plugin file implements failing closed.
func (t Target) inPlugin() bool {
	return slices.ContainsFunc(t.Places, func(p Place) bool { return p.Settings.Plugin != nil })
}

// CanFailClosed reports whether the agent can block operations that its hooks could
// not judge: by a setting of the installed version, or by the status of the entries.
func (t Target) CanFailClosed() bool {
	return t.inPlugin() || t.hasSetting() || slices.ContainsFunc(t.events(nil, ""), func(e Event) bool { return t.closes(Options{FailClosed: true}, e) })
}

// hasSetting reports whether the installed version has a setting that makes entries
// fail closed.
func (t Target) hasSetting() bool {
	return t.FailClosed != nil && (t.FailSince == "" || t.Version != "" && !olderVersion(t.Version, t.FailSince))
}

// FailsClosed reports whether the entries of a scope fail closed.
func (t Target) FailsClosed(scope string) bool {
	return slices.ContainsFunc(t.Installed(scope), func(e Entry) bool { return e.Closed })
}

func (t Target) values(p Place, o Options, e Event) values {
	v := values{event: e, words: t.command(o, !p.Cloud, t.eventArg(e), e.Timeout)}
	program := v.words[0]
	if t.Agent.Converses {
		o.Ask, o.Modify = "", "" // the protocol can express them
		v.words = t.command(o, !p.Cloud, "", e.Timeout)
		v.words[1] = "serve"
		v.words = v.words[:len(v.words)-2] // without the deadline option
	}
	bashWords := slices.Clone(v.words)
	if t.GOOS == "windows" {
		for i := range bashWords {
			bashWords[i] = strings.ReplaceAll(bashWords[i], `\`, "/")
		}
	}
	v.cmd, v.power = cmdExe.line(withoutQuotes(v.words)), powerShell.line(v.words)+exitStatus
	closes := t.closes(o, e)
	if closes {
		v.cmd, v.power = v.cmd+closedCmd, powerShell.line(v.words)+closedStatus
	}
	if o.shares() && !t.Agent.Converses {
		without := t.absent(o, e)
		v.cmd, v.power = sharedCmd(program, v.cmd, without), sharedPowerShell(program, v.power, without)
		bashWords, v.words = sharedWords(bashWords, without), sharedWords(v.words, without)
	}
	if closes && t.GOOS != "windows" {
		v.words = closedWords(v.words)
		bashWords = v.words
	}
	v.bash = posix.line(bashWords)
	switch {
	case o.shares() && !t.Agent.Converses && !closes: // the shell is replaced, so that signals reach the program
		v.bash = "exec " + v.bash
	case !closes && !t.NoShell && t.GOOS != "windows":
		v.bash = guarded(program, o.start(false)+" exec "+v.bash, t.absent(o, e)) // a shell that cannot fork ends with 2, too
	}
	switch shell := t.shellOf(t.Client); {
	case shell == posix || o.Scope != "user" && o.Scope != managed: // shared with other systems
		v.command = v.bash
	case shell == powerShell:
		v.command = v.power
	default:
		v.command = v.cmd
	}
	v.script = t.scriptPath(filepath.Join(filepath.Dir(t.Expand(p.Path, p.Home)), "agent-hooks.sh"))
	return v
}

// scriptPath returns the path of a shell script, or of the PowerShell script
// that replaces it on Windows.
func (s System) scriptPath(path string) string {
	if base, ok := strings.CutSuffix(path, ".sh"); ok && s.GOOS == "windows" {
		return base + ".ps1"
	}
	return path
}

// edit returns the file's new text. before is its original content from before
// install, nil if it did not exist.
func (a artifact) edit(c *Client, f *file, before []byte) ([]byte, error) {
	if a.whole != "" {
		if f.exists && !isOurFile(f.text) {
			return nil, fmt.Errorf("%s exists and was not written by agent-hooks; move it away first", f.path)
		}
		return []byte(a.whole), nil
	}
	return a.rewrite(c, f, before, a.lists)
}

// rewrite returns the text of a settings file with the wanted entries, and no others of ours.
func (a artifact) rewrite(c *Client, f *file, before []byte, want []settings.List) ([]byte, error) {
	original, err := settings.Decode(a.place.Layout.Format, before)
	existed := before != nil && err == nil
	had := func(path []string) bool {
		_, ok := settings.At(original, path...)
		return ok && existed
	}
	text, err := a.leaveOthers(c, f.text)
	if err == nil {
		text, err = a.place.Layout.Apply(text, want, c.isOurs, had)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return text, nil
}

// leaveOthers returns a file's text without the calls that somebody put among other commands of an
// entry, so that these remain. It is an error if a call cannot be taken out.
func (a artifact) leaveOthers(c *Client, text []byte) (left []byte, err error) {
	shared := false
	_ = a.place.Layout.Handlers(text, func(_ settings.Position, h any) { // Apply reports what cannot be read
		for _, line := range commandLines(h) {
			rest, ok := withoutCall(line, c.agents())
			shared = shared || ok && rest != line && rest != ""
			if !ok {
				err = fmt.Errorf("an entry contains more than the call of agent-hooks; remove the call from it first: %q", line)
			}
		}
	})
	if err != nil || !shared {
		return text, err
	}
	return a.place.Layout.Rewrite(text, func(line string) string {
		if rest, ok := withoutCall(line, c.agents()); ok && rest != "" {
			return rest
		}
		return line
	})
}

func (c *Client) isOurs(handler any) bool {
	_, ok := callOf(handler, c.agents())
	return ok || isOurScript(handler)
}

// isOurScript recognizes the entries of agents that run only script files.
func isOurScript(handler any) bool {
	command, _ := settings.At(handler, "command")
	text, _ := command.(string)
	base := filepath.Base(filepath.FromSlash(text))
	return base == "agent-hooks.sh" || base == "agent-hooks.ps1"
}

// marker is the text that, after the comment sign, begins each file that is
// entirely ours.
const marker = "written by agent-hooks install; version "

func isOurFile(text []byte) bool {
	head := text[:min(len(text), 300)]
	return bytes.Contains(head, []byte(marker)) || bytes.Contains(head, []byte(`"name": "agent-hooks"`))
}
