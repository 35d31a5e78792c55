package install

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// Switch is a setting that disables hooks.
type Switch struct {
	Path     string // of the file, as in Place
	Home     string
	Keys     []string
	Bad      any    // the value that disables hooks: a boolean, or a text in a list
	Variable string // an environment variable, instead of a file
}

// strict lists the properties that make an agent ignore a whole settings file.
type strict struct {
	JSON   bool     // comments and trailing commas
	NoMark bool     // a byte-order mark
	NoURL  bool     // "://" in a command
	NoTop  []string // top-level keys
	Top    []string // any other top-level key of a JSON file
	Events []string // any other event
	Keys   []string // any other key of an entry
	Types  []string // any other type of an entry
}

// switchedOff reports the settings that disable the agent's hooks.
func (t Target) switchedOff() []Finding {
	var found []Finding
	for _, s := range t.Switches {
		if s.Variable != "" {
			if value := t.Getenv(s.Variable); value != "" && value != "0" && value != "false" {
				found = append(found, broken("%s=%s disables hooks", s.Variable, value))
			}
			continue
		}
		path := t.expand(s.Path, s.Home)
		if t.isOff(path, s) {
			found = append(found, broken("%s: %s disables hooks", path, strings.Join(s.Keys, ".")))
		}
	}
	return found
}

func (t Target) isOff(path string, s Switch) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	decoded, err := settings.Decode(settings.FormatOf(path), text)
	if err != nil {
		return false // reported elsewhere
	}
	value, ok := settings.At(decoded, s.Keys...)
	if list, isList := value.([]any); isList {
		return slices.Contains(list, s.Bad)
	}
	return ok && value == s.Bad
}

// voided reports why the agent ignores a whole settings file, including the
// entries of other programs.
func (t Target) voided(a artifact, f *file) []Finding {
	var found []Finding
	if !f.exists || a.place.Content != nil {
		return nil
	}
	add := func(format string, args ...any) {
		found = append(found, broken("%s: %s; %s ignores the whole file", f.path, fmt.Sprintf(format, args...), t.Title))
	}
	decoded, err := settings.Decode(a.place.Layout.Format, f.text)
	if err != nil {
		add("%v", err)
		return found
	}
	if t.Strict.NoMark && settings.HasMark(f.text) {
		add("it begins with a byte-order mark")
	}
	if t.Strict.JSON && a.place.Layout.Format == settings.JSON && len(f.text) > 0 && !json.Valid(f.text) && !settings.HasMark(f.text) {
		add("it contains comments or trailing commas")
	}
	for _, key := range t.Strict.NoTop {
		if _, ok := settings.At(decoded, key); ok {
			add("it has a top-level %q", key)
		}
	}
	if top, ok := decoded.(map[string]any); ok && t.Strict.Top != nil && a.place.Layout.Format == settings.JSON {
		for _, key := range slices.Sorted(maps.Keys(top)) {
			if !slices.Contains(t.Strict.Top, key) {
				add("the top-level key %q is unknown", key)
			}
		}
	}
	_ = a.place.Layout.Handlers(f.text, func(event string, h any) { // already decoded above
		for _, cause := range t.Strict.wrong(eventOf(event, h), h) {
			add("%s", cause)
		}
	})
	return slices.CompactFunc(found, func(a, b Finding) bool { return a == b })
}

// wrong returns the parts of an entry that an agent rejects.
func (s strict) wrong(event string, handler any) []string {
	var causes []string
	if s.Events != nil && !slices.Contains(s.Events, event) {
		causes = append(causes, fmt.Sprintf("the event %q is unknown", event))
	}
	m, _ := handler.(map[string]any)
	for key := range m {
		if s.Keys != nil && !slices.Contains(s.Keys, key) {
			causes = append(causes, fmt.Sprintf("the key %q of an entry is unknown", key))
		}
	}
	if kind, ok := m["type"].(string); ok && s.Types != nil && !slices.Contains(s.Types, kind) {
		causes = append(causes, fmt.Sprintf("the type %q of an entry is unknown", kind))
	}
	if command, _ := m["command"].(string); s.NoURL && strings.Contains(command, "://") {
		causes = append(causes, "a command contains a URL")
	}
	return causes
}

// gates reports the agent's own conditions for running hooks, such as trust in
// the folder, that are not met according to its files.
func (t Target) gates(entries []Entry) []Finding {
	switch t.Name {
	case "codex":
		return t.codexTrust(entries)
	case "claude-code":
		path := "~/.claude.json"
		if t.replaced("CLAUDE_CONFIG_DIR") != "" {
			path = filepath.Join(t.replaced("CLAUDE_CONFIG_DIR"), ".claude.json")
		}
		return append(t.folderGate(path, []string{"projects", t.Project, "hasTrustDialogAccepted"}, true), t.claudeMods()...)
	case "gemini-cli":
		off, ok := settings.At(t.decoded("~/.gemini/settings.json"), "security", "folderTrust", "enabled")
		if ok && off == false {
			return nil
		}
		return t.folderGate("~/.gemini/trustedFolders.json", []string{t.Project}, "TRUST_FOLDER")
	case "hermes":
		return t.hermesConsent(entries)
	}
	return nil
}

// claudeMods reports the installed plugins with modules: these run in Claude Code's own process
// and may answer, change or approve a call before or after the hooks see it.
func (t Target) claudeMods() []Finding {
	const maxDepth = 8
	var found []Finding
	root := t.expand("~/.claude/plugins", "CLAUDE_CONFIG_DIR")
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || strings.Count(path[len(root):], string(filepath.Separator)) > maxDepth):
			return fs.SkipDir
		case d.Name() != "hooks.json" || filepath.Base(filepath.Dir(path)) != "hooks":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		decoded, _ := settings.Decode(settings.JSON, text)
		if modules, _ := settings.At(decoded, "modules"); modules != nil {
			found = append(found, Finding{Level: Warning, Text: fmt.Sprintf("the plugin of %s runs modules in Claude Code itself, which can answer or change a call before your hooks see it, and approve what they block", path)})
		}
		return nil
	})
	return found
}

func (t Target) decoded(path string) any {
	text, err := os.ReadFile(t.expand(path, ""))
	if err != nil {
		return nil
	}
	decoded, _ := settings.Decode(settings.FormatOf(path), text)
	return decoded
}

// folderGate checks that this folder, or one above it, is trusted in a file.
func (t Target) folderGate(path string, keys []string, want any) []Finding {
	decoded := t.decoded(path)
	for dir := t.Project; ; dir = filepath.Dir(dir) {
		at := slices.Clone(keys)
		at[slices.Index(keys, t.Project)] = dir
		if value, _ := settings.At(decoded, at...); value == want {
			return nil
		}
		if dir == filepath.Dir(dir) {
			return []Finding{{Level: Warning, Text: fmt.Sprintf("%s does not trust the folder %s yet, so it runs no hooks there", t.Title, t.Project)}}
		}
	}
}

// hermesConsent checks that Hermes has consent for each command line.
func (t Target) hermesConsent(entries []Entry) []Finding {
	allowed, _ := os.ReadFile(t.expand("~/.hermes/shell-hooks-allowlist.json", "HERMES_HOME"))
	for _, e := range entries {
		if !strings.Contains(string(allowed), strings.Trim(jsText(e.Line), `"`)) {
			return []Finding{{Level: Broken, Text: "Hermes has not been allowed to run the entries, and skips them without a terminal", Fix: "start Hermes at a terminal and allow them, or run it once with --accept-hooks"}}
		}
	}
	return nil
}

// neverRun reports hooks of events that the agent does not have (D44).
func (t Target) neverRun(x Examination) []Finding {
	a := agent.Find(t.callAs())
	if a == nil {
		return nil
	}
	var found []Finding
	for _, event := range slices.Sorted(maps.Keys(x.Hooks)) {
		if a.EventFor(event) == nil {
			found = append(found, Finding{Note, fmt.Sprintf("%s has no event for %s, so it never runs %s", t.Title, event, strings.Join(x.Hooks[event], ", ")), ""})
		}
	}
	return found
}
