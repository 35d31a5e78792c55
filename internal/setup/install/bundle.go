package install

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// pluginMissing replaces howToInstall in a plugin.
const pluginMissing = "the plugin agent-hooks is switched on, but your guards do not run: agent-hooks is not installed, or not in the PATH of this agent. How to install it: github.com/agent-hooks/agent-hooks"

// Scopes are where entries can be: the user's settings, a project's, and an agent's plugin,
// which install does not write.
func Scopes() []string { return []string{"user", "project", inAPlugin} }

// PluginHooks returns the content of hooks/hooks.json in the agent's plugin. It registers every
// event, since a plugin does not know which hooks the user has.
func (c *Client) PluginHooks() ([]byte, error) {
	i := slices.IndexFunc(c.Places, func(p Place) bool { return p.Scope == "project" && p.Layout.Format == settings.JSON })
	if i < 0 {
		return nil, errors.New("it has no entries in JSON for a project")
	}
	o := Options{Scope: inAPlugin, Used: map[spec.EventType]bool{}}
	for _, e := range spec.Events() {
		o.Used[e.Event] = true
	}
	t := Target{System{Getenv: func(string) string { return "" }, GOOS: "linux"}, c, Found{}}
	none := func([]string) bool { return false }
	return c.Places[i].Layout.Apply(nil, t.lists(c.Places[i], o, t.known(o)), c.isOurs, none)
}

// Plugin is a plugin that an agent has switched on.
type Plugin struct {
	ID     string // NAME@MARKETPLACE
	Dir    string // absolute
	Update string // the command that updates it
	Remove string // the command that removes it
}

// Plugins returns the agent's plugins that are switched on here and call agent-hooks, whatever
// they are called.
func (t Target) Plugins() []Plugin {
	var all []Plugin
	switch t.Name {
	case "claude-code":
		all = t.claudePlugins()
	case "codex":
		all = t.codexPlugins()
	}
	return slices.DeleteFunc(all, func(p Plugin) bool { return len(t.pluginEntries(p)) == 0 })
}

// claudePlugins returns the plugins that Claude Code has switched on. Later settings replace
// earlier ones.
func (t Target) claudePlugins() []Plugin {
	const home = "CLAUDE_CONFIG_DIR"
	on := map[string]bool{}
	for _, path := range []string{"~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"} {
		for id, value := range t.object(path, home, "enabledPlugins") {
			on[id] = value == true
		}
	}
	var all []Plugin
	for id, installed := range t.object("~/.claude/plugins/installed_plugins.json", home, "plugins") {
		places, _ := installed.([]any)
		for _, place := range places {
			p, _ := place.(map[string]any)
			dir, _ := p["installPath"].(string)
			project, _ := p["projectPath"].(string)
			if on[id] && filepath.IsAbs(dir) && (project == "" || project == t.Project) {
				all = append(all, Plugin{id, dir, "claude plugin update " + id, "claude plugin uninstall " + id})
				break
			}
		}
	}
	slices.SortFunc(all, func(a, b Plugin) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// codexPlugins returns the plugins that Codex has switched on.
func (t Target) codexPlugins() []Plugin {
	const home = "CODEX_HOME"
	var all []Plugin
	plugins := t.object("~/.codex/config.toml", home, "plugins")
	for _, id := range slices.Sorted(maps.Keys(plugins)) {
		enabled, _ := settings.At(plugins[id], "enabled")
		name, market, _ := strings.Cut(id, "@")
		cache := t.expand("~/.codex/plugins/cache", home)
		versions, _ := filepath.Glob(filepath.Join(cache, filepath.Base(market), filepath.Base(name), "*"))
		if enabled == false || len(versions) == 0 {
			continue
		}
		newest := slices.MaxFunc(versions, func(a, b string) int {
			return slices.Compare(versionNumbers(filepath.Base(a)), versionNumbers(filepath.Base(b)))
		})
		all = append(all, Plugin{id, newest, "codex plugin marketplace upgrade && codex plugin add " + id, "codex plugin remove " + id})
	}
	return all
}

// object returns an object in a settings file; nil if it is missing.
func (t Target) object(path, home string, keys ...string) map[string]any {
	text, err := os.ReadFile(t.expand(path, home))
	if err != nil {
		return nil
	}
	decoded, _ := settings.Decode(settings.FormatOf(path), text)
	value, _ := settings.At(decoded, keys...)
	object, _ := value.(map[string]any)
	return object
}

// pluginEntries returns the calls of agent-hooks in a plugin.
func (t Target) pluginEntries(p Plugin) []Entry {
	path := filepath.Join(p.Dir, filepath.FromSlash(pluginHooks))
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	entries := t.located(path, nested("hooks"), text)
	for i := range entries {
		entries[i].plugin = p.ID
	}
	return entries
}

// examinePlugins compares the plugins with the entries that this version would write.
func (t Target) examinePlugins() []Finding {
	var found []Finding
	for _, p := range t.Plugins() {
		entries := t.pluginEntries(p)
		text, err := t.PluginHooks()
		if err != nil {
			return []Finding{broken("%v", err)}
		}
		wanted := t.located("", nested("hooks"), text)
		same := slices.EqualFunc(entries, wanted, func(a, b Entry) bool {
			return a.Event == b.Event && a.Line == b.Line && a.Only == b.Only
		})
		switch count := Count(len(entries), "entry", "entries") + " in the plugin " + p.ID; {
		case same:
			found = append(found, Finding{OK, count + ", present and current", ""})
		default:
			found = append(found, Finding{Warning, count + ": they are not what this version of agent-hooks writes", p.Update})
		}
	}
	return found
}

// twiceByPlugin reports that a plugin and entries, or two plugins, call agent-hooks.
func (t Target) twiceByPlugin() []Finding {
	plugins := t.Plugins()
	if len(plugins) == 0 {
		return nil
	}
	p := plugins[0]
	switch {
	case len(plugins) > 1:
		return []Finding{{Warning, "every event fires twice: the plugins " + p.ID + " and " + plugins[1].ID + " both call agent-hooks", p.Remove}}
	case len(t.Installed("user")) > 0:
		return []Finding{{Warning, "every event fires twice: your settings and the plugin " + p.ID + " both call agent-hooks", "keep one of them: agent-hooks uninstall " + t.Name + ", or: " + p.Remove}}
	case len(t.Installed("project")) > 0:
		// The project's file belongs to the team: nobody should empty it for this.
		return []Finding{{Note, "every event fires twice here: the project's settings and the plugin " + p.ID + " both call agent-hooks; that costs time, and hooks that send or write something do so twice", "leave it, or, if you use " + t.Title + " only in projects with entries: " + p.Remove}}
	}
	return nil
}
