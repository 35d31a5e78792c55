package install

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// listTimeout is the time limit for an agent to list its hooks.
const listTimeout = 30 * time.Second

// Loaded compares the entries with those that the agent reports as loaded in
// dir. It calls no model. It returns nothing for an agent without such a list.
func (t Target) Loaded(ctx context.Context, dir string) []Finding {
	if t.Program == "" || t.listed == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	entries := t.AllInstalled()
	found, err := t.listed(ctx, t, dir, entries)
	switch {
	case err != nil:
		return []Finding{{Warning, fmt.Sprintf("%s did not list its hooks: %v", t.Title, err), ""}}
	case len(found) == 0:
		return []Finding{{OK, fmt.Sprintf("%s loaded %s and runs them", t.Title, Count(len(entries), "entry", "entries")), ""}}
	}
	return found
}

// codexHook is one hook in Codex's own list.
type codexHook struct {
	Key         string `json:"key"`
	Command     string `json:"command"`
	Enabled     *bool  `json:"enabled"`
	TrustStatus string `json:"trustStatus"`
}

// codexListed compares the entries with the list of codex app-server.
func codexListed(ctx context.Context, t Target, dir string, entries []Entry) ([]Finding, error) {
	hooks, err := listCodexHooks(ctx, t.Program, dir)
	if err != nil {
		return nil, err
	}
	skipped := skippedHooks{total: len(entries)}
	for _, e := range entries {
		place := fmt.Sprintf(":%s:%d:%d", snakeCase(e.Event), e.Group, e.Index)
		i := slices.IndexFunc(hooks, func(h codexHook) bool {
			return strings.HasSuffix(h.Key, place) && h.Command == e.Line
		})
		switch {
		case i < 0:
			skipped.missing++
		case hooks[i].TrustStatus == "modified":
			skipped.modified++
		case hooks[i].TrustStatus != "trusted" && hooks[i].TrustStatus != "managed":
			skipped.untrusted++
		case hooks[i].Enabled != nil && !*hooks[i].Enabled:
			skipped.disabled++
		}
	}
	return skipped.findings(), nil
}

// listCodexHooks requests the list from codex app-server, with one JSON object
// per line.
func listCodexHooks(ctx context.Context, program, dir string) ([]codexHook, error) {
	cmd := osexec.CommandContext(ctx, program, "app-server")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
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
	defer cmd.Wait()
	defer stdin.Close()
	where, err := json.Marshal(dir)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(stdin, "%s\n%s\n%s\n", `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"agent-hooks","version":"1"}}}`,
		`{"method":"initialized"}`, `{"id":2,"method":"hooks/list","params":{"cwds":[`+string(where)+`]}}`)
	if err != nil {
		return nil, err
	}
	return readCodexHooks(stdout)
}

// readCodexHooks reads messages up to the answer to the second request.
func readCodexHooks(stdout io.Reader) ([]codexHook, error) {
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var message struct {
			ID     any             `json:"id"`
			Error  json.RawMessage `json:"error"`
			Result struct {
				Data []struct {
					Hooks []codexHook `json:"hooks"`
				} `json:"data"`
			} `json:"result"`
		}
		switch {
		case json.Unmarshal(lines.Bytes(), &message) != nil || message.ID != 2.0:
			continue
		case message.Error != nil:
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

// antigravityListed searches for the entries in the output of agy's /hooks,
// which calls no model. The output format is not documented, so only the
// command lines count.
func antigravityListed(ctx context.Context, t Target, dir string, entries []Entry) ([]Finding, error) {
	cmd := osexec.CommandContext(ctx, t.Program, "-p", "/hooks", "--output-format", "json")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s -p /hooks: %w", t.Program, err)
	}
	missing := 0
	for _, e := range entries {
		if !bytes.Contains(out, []byte(strings.Trim(jsText(e.Line), `"`))) {
			missing++
		}
	}
	if missing == 0 {
		return nil, nil
	}
	return []Finding{broken("%d of %d entries are not in the list of %s -p /hooks, so it does not run them", missing, len(entries), t.Program)}, nil
}

// Start returns the command line that runs the agent without a terminal for one
// short request; nil if it has none.
func (t Target) Start() []string {
	if t.Headless == "" || !strings.HasPrefix(filepath.Base(t.Program), t.Programs[0]) {
		return nil
	}
	return append(append([]string{t.Program}, strings.Fields(t.Headless)...), livePrompt)
}

// livePrompt makes a model call a tool without changing anything.
const livePrompt = "List the files in this folder with one tool call, then stop. Change nothing."

// Shown returns a command line as a person would type it.
func (s System) Shown(words []string) string {
	if s.GOOS == "windows" {
		return powerShell.line(words)
	}
	return posix.line(words)
}
