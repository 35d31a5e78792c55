package install

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/spec"
)

// An agent's plugin is a folder that the agent installs itself. The folder plugins of this
// repository has one for each agent whose plugins can contain hooks, with the entries that
// install would write to a project's settings (D84): a plugin does not know either where the
// program is.

const (
	inAPlugin   = "plugin" // the scope of entries in a plugin
	pluginHooks = "hooks/hooks.json"
)

var pluginLayout = settings.Layout{Format: settings.JSON, Root: []string{"hooks"}, Nested: "hooks"}

// pluginMissing replaces howToInstall in a plugin.
const pluginMissing = "the plugin agent-hooks is switched on, but your guards do not run: agent-hooks is not installed, or not in the PATH of this agent. How to install it: github.com/agent-hooks/agent-hooks"

// Scopes are where entries can be: the user's settings, a project's, and an agent's plugin,
// which install does not write.
func Scopes() []string { return []string{"user", "project", inAPlugin} }

// PluginHooks returns the content of hooks/hooks.json in the agent's plugin. It registers every
// event, since a plugin does not know which hooks the user has.
func (c *Client) PluginHooks() ([]byte, error) {
	i := slices.IndexFunc(c.Places, func(p Place) bool { return p.Scope() == "project" && !p.whole() && p.Layout.Format == settings.JSON })
	if i < 0 {
		return nil, errors.New("it has no entries in JSON for a project")
	}
	place, local := c.Places[i], *c.Places[i].Settings
	local.Cloud = false // a cloud agent has no plugins of the user's
	place.Settings = &local
	o := Options{Scope: inAPlugin, Used: map[spec.EventType]bool{}}
	for _, e := range spec.Events() {
		o.Used[e.Event] = true
	}
	t := Target{System{Getenv: func(string) string { return "" }, GOOS: "linux"}, c, Found{}}
	none := func([]string) bool { return false }
	return place.Layout.Apply(nil, t.lists(place, o, t.known(o)), c.isOurs, none)
}

// Plugins returns the agent's plugins that are switched on here and call agent-hooks, whatever
// they are called.
func (t Target) Plugins() []agent.Plugin {
	return slices.DeleteFunc(t.plugins(), func(p agent.Plugin) bool { return p.OffBy != "" })
}

// plugins is Plugins, with those that the project switches off.
func (t Target) plugins() []agent.Plugin {
	if t.Setup.Plugins == nil {
		return nil
	}
	all := t.Setup.Plugins(t.machine(context.Background(), t.Project))
	return slices.DeleteFunc(all, func(p agent.Plugin) bool { return len(t.pluginEntries(p)) == 0 })
}

// pluginEntries returns the calls of agent-hooks in a plugin.
func (t Target) pluginEntries(p agent.Plugin) []Entry {
	path := filepath.Join(p.Dir, filepath.FromSlash(pluginHooks))
	f, err := t.readFile(path)
	if err != nil {
		return nil
	}
	entries := t.located(path, pluginLayout, f.text)
	for i := range entries {
		entries[i].Plugin = p.ID
	}
	return entries
}

// examinePlugins compares the plugins with the entries that this version would write.
func (t Target) examinePlugins(r *Report) {
	for _, p := range t.plugins() {
		entries := t.pluginEntries(p)
		if p.OffBy != "" {
			r.say(Broken, "", "%s switches the plugin %s off, so its hooks do not run in this project", p.OffBy, p.ID)
			continue
		}
		text, err := t.PluginHooks()
		if err != nil {
			r.say(Broken, "", "%v", err)
			return
		}
		same := slices.EqualFunc(entries, t.located("", pluginLayout, text), func(a, b Entry) bool {
			return a.Event == b.Event && a.Line == b.Line && a.Only == b.Only
		})
		count := Count(len(entries), "entry", "entries") + " in the plugin " + p.ID
		if same {
			r.say(OK, "", "%s, present and current", count)
		} else {
			r.say(Warning, p.Update, "%s: they are not what this version of agent-hooks writes", count)
		}
	}
}
