package install

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

var update = flag.Bool("update", false, "rewrite the agents' plugins and the marketplaces")

const (
	pluginName  = "agent-hooks"
	repository  = "https://github.com/agent-hooks/agent-hooks"
	description = "Runs your hooks, folders with a HOOK.md and a script, on the events of the agent: they block a tool call, ask, change an input or add context."
)

// manifests are the manifests of the plugins, by agent. Goose's is that of Agent Plugins 1.0.
var manifests = map[string]string{
	"claude-code": ".claude-plugin/plugin.json", "codex": ".codex-plugin/plugin.json", "cursor": ".cursor-plugin/plugin.json",
	"gemini-cli": "gemini-extension.json", "qwen-code": "qwen-extension.json", "goose": "plugin.json",
}

// TestPlugins checks that the plugins and marketplaces of this repository are those that install's
// own entries give. With -update it writes them, and counts up the version of a plugin that
// changes: agents update a plugin only when its version does.
func TestPlugins(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	files := map[string][]byte{
		".claude-plugin/marketplace.json": text(t, map[string]any{
			"$schema": "https://anthropic.com/claude-code/marketplace.schema.json",
			"name":    pluginName, "description": "The plugin of agent-hooks for Claude Code", "owner": map[string]any{"name": pluginName},
			"plugins": []any{map[string]any{"name": pluginName, "source": "./plugins/claude-code", "description": description, "category": "security"}},
		}),
		".cursor-plugin/marketplace.json": text(t, map[string]any{
			"name": pluginName, "owner": map[string]any{"name": pluginName}, "metadata": map[string]any{"description": "The plugin of agent-hooks for Cursor"},
			"plugins": []any{map[string]any{"name": pluginName, "source": "./plugins/cursor", "description": description}},
		}),
		".agents/plugins/marketplace.json": text(t, map[string]any{
			"name": pluginName, "interface": map[string]any{"displayName": pluginName},
			"plugins": []any{map[string]any{
				"name": pluginName, "category": "Developer Tools", "source": map[string]any{"source": "local", "path": "./plugins/codex"},
				"policy": map[string]any{"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
			}},
		}),
	}
	for name, file := range manifests {
		hooks, err := Find(name).PluginHooks()
		if err != nil {
			t.Fatal(err)
		}
		dir := "plugins/" + name
		if _, err := os.Stat(filepath.Join(root, dir, "plugin.json")); err == nil && file != "plugin.json" {
			t.Errorf("%s/plugin.json: Agent Plugins 1.0 has no hooks, and Codex runs none of such a plugin (Q-codex-10)", dir)
		}
		files[dir+"/"+pluginHooks] = hooks
		files[dir+"/"+file] = manifest(t, filepath.Join(root, dir), file, hooks)
	}
	for name, want := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		got, _ := os.ReadFile(path)
		if bytes.Equal(got, want) {
			continue
		}
		if !*update {
			t.Errorf("%s is not what the agents' tables give: go test ./internal/setup/install -run TestPlugins -update", name)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// manifest returns the manifest of the plugin in dir. Its version is the one that is there, or the
// next one if the hooks change.
func manifest(t *testing.T, dir, file string, hooks []byte) []byte {
	major, minor, patch := 1, 0, 0
	var old struct{ Version string }
	if text, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
		if err := json.Unmarshal(text, &old); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscanf(old.Version, "%d.%d.%d", &major, &minor, &patch); err != nil {
			t.Fatal(err)
		}
		if before, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(pluginHooks))); !bytes.Equal(before, hooks) {
			patch++
		}
	}
	m := map[string]any{
		"name": pluginName, "version": fmt.Sprintf("%d.%d.%d", major, minor, patch), "description": description,
		"author": map[string]any{"name": pluginName}, "homepage": repository, "repository": repository, "license": "Apache-2.0",
		"keywords": []string{"hooks", "guard", "security"},
	}
	switch file {
	case "gemini-extension.json", "qwen-extension.json":
		return text(t, map[string]any{"name": m["name"], "version": m["version"], "description": description})
	case "plugin.json":
		m["$schema"] = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
	case ".codex-plugin/plugin.json":
		m["interface"] = map[string]any{
			"displayName": pluginName, "shortDescription": "Guards and other hooks as folders", "longDescription": description,
			"developerName": pluginName, "category": "Developer Tools", "websiteURL": repository,
		}
	}
	return text(t, m)
}

func text(t *testing.T, value any) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPluginEvents checks that a plugin registers every event that the agent has, and that only the
// first one says how to install the program.
func TestPluginEvents(t *testing.T) {
	for name := range manifests {
		c := Find(name)
		hooks, err := c.PluginHooks()
		if err != nil {
			t.Fatal(err)
		}
		layout := pluginLayout
		if name == "cursor" {
			layout.Nested = ""
		}
		entries := Target{Client: c}.located("", layout, hooks)
		all := slices.DeleteFunc(c.Agent.Rows(), func(row *agent.NativeEvent) bool { return !row.Registered() })
		if len(entries) != len(all) {
			t.Errorf("%s: %d entries for %d events", name, len(entries), len(all))
		}
		notes := 0
		for _, e := range entries {
			if e.Words[0] != "agent-hooks" || !strings.Contains(strings.Join(e.Words, " "), " --require-trust ") {
				t.Errorf("%s: %s calls %q", name, e.Event, e.Words)
			}
			if strings.Contains(e.Line, pluginMissing) {
				notes++
				if !strings.EqualFold(e.Event, "SessionStart") {
					t.Errorf("%s: %s has the message", name, e.Event)
				}
			}
		}
		if notes != 1 {
			t.Errorf("%s: %d entries say how to install the program", name, notes)
		}
	}
}
