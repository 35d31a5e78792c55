package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// codexHook is a hook in the output of `codex app-server`.
type codexHook struct {
	Key         string `json:"key"`
	CurrentHash string `json:"currentHash"`
	TrustStatus string `json:"trustStatus"`
}

// trustCodexHooks does the same as a user in Codex's /hooks menu: it approves each hook by the
// hash that Codex reports.
func (j job) trustCodexHooks(ctx context.Context, c command) error {
	hooks, err := j.listCodexHooks(ctx, c)
	if err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(j.log(), c.Name+".out"), hooks); err != nil {
		return err
	}
	path := filepath.Join(j.home(), ".codex", "config.toml")
	config := readText(path)
	for _, h := range hooks {
		if h.TrustStatus == "trusted" || h.TrustStatus == "managed" {
			continue
		}
		if before, after, found := strings.Cut(config, fmt.Sprintf("\n[hooks.state.%q]\n", h.Key)); found { // it changed
			_, after, _ = strings.Cut(after, "\n\n")
			config = before + "\n" + after
		}
		hash, content, plugin := strings.Cut(h.CurrentHash, "/") // of the entry, and of the plugin that has it
		state := fmt.Sprintf("\n[hooks.state.%q]\ntrusted_hash = %q\n", h.Key, hash)
		if plugin {
			state += fmt.Sprintf("trusted_content_hash = %q\n", content)
		}
		config += state
	}
	return os.WriteFile(path, []byte(config), 0o600)
}

func (j job) listCodexHooks(ctx context.Context, c command) ([]codexHook, error) {
	cmd, stderr := j.process(ctx, c), new(strings.Builder)
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	messages := []any{
		map[string]any{"id": 1, "method": "initialize", "params": map[string]any{"clientInfo": map[string]any{"name": "e2e", "version": "1"}}},
		map[string]any{"method": "initialized"},
		map[string]any{"id": 2, "method": "hooks/list", "params": map[string]any{"cwds": []string{j.work()}}},
	}
	for _, m := range messages {
		if err := json.NewEncoder(stdin).Encode(m); err != nil {
			return nil, err
		}
	}
	hooks, err := readCodexHooks(stdout)
	stdin.Close()
	if wait := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("%w; %v: %s", err, wait, stderr)
	}
	return hooks, nil
}

func readCodexHooks(stdout io.Reader) ([]codexHook, error) {
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var message struct {
			ID     int             `json:"id"`
			Error  json.RawMessage `json:"error"`
			Result struct {
				Data []struct {
					Hooks []codexHook `json:"hooks"`
				} `json:"data"`
			} `json:"result"`
		}
		if json.Unmarshal(lines.Bytes(), &message) != nil || message.ID != 2 {
			continue
		}
		if message.Error != nil {
			return nil, fmt.Errorf("hooks/list: %s", message.Error)
		}
		var hooks []codexHook
		for _, d := range message.Result.Data {
			hooks = append(hooks, d.Hooks...)
		}
		return hooks, nil
	}
	return nil, errors.Join(errors.New("hooks/list: no answer"), lines.Err())
}
