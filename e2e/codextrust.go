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

func (j job) listCodexHooks(ctx context.Context, c command) (hooks []codexHook, err error) {
	err = j.withCodex(ctx, c, func(s *codexServer) error {
		var found struct{ Data []struct{ Hooks []codexHook } }
		err := s.call("hooks/list", map[string]any{"cwds": []string{j.work()}}, &found)
		for _, d := range found.Data {
			hooks = append(hooks, d.Hooks...)
		}
		return err
	})
	return hooks, err
}

// planInCodex runs one turn in plan mode, which `codex exec` does not have.
func (j job) planInCodex(ctx context.Context, c command) error {
	return j.withCodex(ctx, c, func(s *codexServer) error {
		var started struct{ Thread struct{ ID string } }
		if err := s.call("thread/start", map[string]any{"cwd": j.work()}, &started); err != nil {
			return err
		}
		plan := map[string]any{"mode": "plan", "settings": map[string]any{"model": codexModel}}
		err := s.call("turn/start", map[string]any{
			"threadId": started.Thread.ID, "collaborationMode": plan, "input": []any{map[string]any{"type": "text", "text": c.Plan}},
		}, nil)
		if err != nil {
			return err
		}
		return s.until(func(m codexMessage) bool { return m.Method == "turn/completed" }, nil)
	})
}

// codexServer is a running `codex app-server`.
type codexServer struct {
	in    io.Writer
	lines *bufio.Scanner
	calls int
}

type codexMessage struct {
	ID            int
	Method        string
	Error, Result json.RawMessage
}

// withCodex starts the command, a `codex app-server`, for the time of do.
func (j job) withCodex(ctx context.Context, c command, do func(*codexServer) error) error {
	cmd, stderr := j.process(ctx, c), new(strings.Builder)
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s := &codexServer{in: stdin, lines: bufio.NewScanner(stdout)}
	s.lines.Buffer(nil, 1<<24)
	client := map[string]any{"clientInfo": map[string]any{"name": "e2e", "version": "1"}, "capabilities": map[string]any{"experimentalApi": true}}
	if err = s.call("initialize", client, nil); err == nil {
		if err = json.NewEncoder(stdin).Encode(map[string]any{"method": "initialized"}); err == nil {
			err = do(s)
		}
	}
	stdin.Close()
	if wait := cmd.Wait(); err != nil {
		return fmt.Errorf("%w; %v: %s", err, wait, stderr)
	}
	return nil
}

// call sends a request, and reads the result of its answer into result if that is not nil.
func (s *codexServer) call(method string, params, result any) error {
	s.calls++
	id := s.calls
	if err := json.NewEncoder(s.in).Encode(map[string]any{"id": id, "method": method, "params": params}); err != nil {
		return err
	}
	if err := s.until(func(m codexMessage) bool { return m.ID == id && m.Method == "" }, result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// until reads messages up to the one that is meant.
func (s *codexServer) until(meant func(codexMessage) bool, result any) error {
	for s.lines.Scan() {
		var m codexMessage
		switch err := json.Unmarshal(s.lines.Bytes(), &m); {
		case err != nil || !meant(m):
		case m.Error != nil:
			return errors.New(string(m.Error))
		case result == nil:
			return nil
		default:
			return json.Unmarshal(m.Result, result)
		}
	}
	return errors.Join(errors.New("no answer"), s.lines.Err())
}
