package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
)

// noteServer is the name of the MCP server of the recorded sessions.
const noteServer = "notes"

// noteProgram is an MCP server with one tool.
const noteProgram = `require('readline').createInterface({input: process.stdin}).on('line', line => {
  const m = JSON.parse(line)
  if (m.id === undefined) return
  const tool = {name: '` + model.NoteTool + `', description: 'Adds a note.', inputSchema: {type: 'object', properties: {text: {type: 'string'}}, required: ['text']}}
  const results = {
    'initialize': () => ({protocolVersion: m.params.protocolVersion, capabilities: {tools: {}}, serverInfo: {name: 'notes', version: '1'}}),
    'tools/list': () => ({tools: [tool]}),
    'tools/call': () => ({content: [{type: 'text', text: 'noted'}]}),
  }
  console.log(JSON.stringify({jsonrpc: '2.0', id: m.id, result: (results[m.method] || (() => ({})))()}))
})
`

// recordedScript has each kind of call, one that the hook refuses, and further turns of the same
// session.
func recordedScript() []model.Step {
	return []model.Step{
		{Shell: "printf one > notes.txt"},
		{Use: model.ReadKind, Write: "notes.txt"},
		{Use: model.EditKind, Write: "notes.txt"},
		{Write: "new.txt", Text: "first line\nsecond \"line\"\n"},
		{Use: model.NoteKind},
		{Shell: "echo REFUSE-TOKEN"},
		{Shell: "exit 3"},
		{Subagent: []model.Step{{Shell: "echo from-the-subagent"}, {Say: "the subagent is done"}}},
		{Say: "all done"},
		{Shell: "cd / && pwd"},
		{Say: "all done"},
	}
}

const recordingHook = `p=$(cat); printf '%s\n' "$p" >> $LOG/native.jsonl; case "$p" in *REFUSE-TOKEN*) echo refused >&2; exit 2;; esac`

// transcriptFolders are the folders of transcripts in the clients' homes, and the names of
// their events before a tool call.
var transcriptFolders = map[string][2]string{
	"claude-code": {".claude/projects", "PreToolUse"},
	"codex":       {".codex/sessions", "PreToolUse"},
	"gemini-cli":  {".gemini/tmp", "BeforeTool"},
	"qwen-code":   {".qwen/projects", "PreToolUse"},
	"kimi-code":   {".kimi-code/sessions", "PreToolUse"},
}

// recordTranscripts runs one session per client with a hook in the client's own form, and copies
// the transcript next to the payloads that the hook received.
func (o options) recordTranscripts(ctx context.Context, cache string, list []client) error {
	for _, c := range list {
		where, found := transcriptFolders[c.name]
		if !found {
			continue
		}
		folder := filepath.Join(cache, "runs", c.name, "transcripts")
		sc := scenario{name: "transcripts", script: recordedScript(), turns: []turn{{prompt: defaultPrompt}, {prompt: "go on", goesOn: true}, {prompt: "go on", goesOn: true}}}
		sc.native = native{where[1], strings.ReplaceAll(recordingHook, "$LOG", filepath.Join(folder, "log"))}
		r := newRun(cache, c, sc, folder)
		sc.files = withNotes(r, sc.native)
		s, err := conduct(ctx, r, sc)
		if err != nil {
			return err
		}
		for _, o := range s.outcomes {
			fmt.Printf("-- %s %s: status %d, %.1f s\n", c.name, o.Name, o.Status, o.Seconds)
		}
		if err := copySession(r, where[0], filepath.Join(o.sessions, c.name)); err != nil {
			return err
		}
	}
	return nil
}

// withNotes returns the client's settings with the hook and the MCP server.
func withNotes(r run, n native) map[string]string {
	program := filepath.Join(r.home(), "notes.js")
	server := fmt.Sprintf(`"mcpServers": {%q: {"command": "node", "args": [%q]}}`, noteServer, program)
	files := map[string]string{"notes.js": noteProgram}
	settings := r.raw(r, n.event, n.command)
	switch r.name {
	case "claude-code":
		files[r.hookFile] = strings.Replace(settings, "{", `{"env": {"ENABLE_TOOL_SEARCH": "false"}, `, 1)
		files[".claude.json"] = strings.Replace(r.files(r)[".claude.json"], "{", "{"+server+", ", 1)
	case "codex":
		files[".codex/config.toml"] = codexConfig(r) + fmt.Sprintf("\n[mcp_servers.%s]\ncommand = \"node\"\nargs = [%q]\n", noteServer, program)
	case "kimi-code":
		files[".kimi-code/mcp.json"] = "{" + server + "}"
	default:
		files[r.hookFile] = strings.Replace(settings, "{", "{"+server+", ", 1)
	}
	return files
}

var (
	uuid       = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	longString = regexp.MustCompile(`("(?:[^"\\]|\\.){200})(?:[^"\\]|\\.){900}(?:[^"\\]|\\.)*"`)
)

const maxLine = 2500 // bytes of a line in a copy

// scrubber replaces what belongs to one run.
type scrubber struct {
	replacer *strings.Replacer
	ids      map[string]string
}

func newScrubber(r run) *scrubber {
	slug := func(path string) string { return regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(path, "-") }
	return &scrubber{ids: map[string]string{}, replacer: strings.NewReplacer(
		r.work(), "/home/user/project", slug(r.work()), slug("/home/user/project"), r.home(), "/home/user", r.Folder, "/home/user/run",
	)}
}

func (s *scrubber) text(text string) string {
	return uuid.ReplaceAllStringFunc(s.replacer.Replace(text), func(id string) string {
		if _, known := s.ids[id]; !known {
			s.ids[id] = fmt.Sprintf("00000000-0000-4000-8000-%012d", len(s.ids)+1)
		}
		return s.ids[id]
	})
}

// copySession copies the transcripts and the payloads. Long strings are cut and long lines
// left out: the instructions and the tools of the client.
func copySession(r run, where, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	s, from := newScrubber(r), filepath.Join(r.home(), where)
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(from, path)
		if err != nil || !d.Type().IsRegular() || !isSessionFile(name) {
			return err
		}
		var text strings.Builder
		for line := range strings.Lines(longString.ReplaceAllString(s.text(readText(path)), `${1}…"`)) {
			if len(line) <= maxLine {
				text.WriteString(line)
			}
		}
		return writeFile(filepath.Join(to, "files", s.text(name)), text.String(), 0o644)
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(to, "payloads.jsonl"), s.text(readText(filepath.Join(r.log(), "native.jsonl"))), 0o644)
}

func isSessionFile(name string) bool {
	base := filepath.Base(name)
	return base == ".project_root" || base == "state.json" || filepath.Ext(name) == ".jsonl" && base != "session_index.jsonl"
}
