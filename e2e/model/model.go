// Package model is a language model that follows a script. One server speaks the wire
// formats of the coding agents (OpenAI chat completions and responses, Anthropic messages,
// Gemini, Augment), streaming and not, so that unmodified clients run offline and every run is the same.
//
// It ignores prompts, except to distinguish a subagent from its parent: the n-th request of a
// conversation gets the n-th step of its script, and the last step is repeated.
package model

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Step is one reply of the model: a call of the client's shell tool, a call of its tool for
// writing files or of another kind, or a text. A step for a tool that the client does not offer
// is left out.
type Step struct {
	Shell string `json:"shell,omitempty"`
	Write string `json:"write,omitempty"` // the name of a file in the server's Dir
	Text  string `json:"text,omitempty"`  // its content
	Use   Kind   `json:"use,omitempty"`   // a call of this kind; Write is its file
	Say   string `json:"say,omitempty"`

	Background bool   `json:"background,omitempty"` // the call does not wait
	Subagent   []Step `json:"subagent,omitempty"`   // of the subagent that this call starts
}

// SubagentPrompt is in the prompt of each subagent. Only its parent also sees Prompt.
const (
	Prompt         = "PROMPT-TOKEN"
	SubagentPrompt = "SUBAGENT-TOKEN"
)

// Request is one line of a Server's log.
type Request struct {
	Time         time.Time       `json:"time"`
	Method       string          `json:"method"`
	Path         string          `json:"path"`
	Conversation bool            `json:"conversation"` // it offered a tool for commands or for reading files, and was answered with a step
	Step         int             `json:"step"`         // the index of that step in the script
	Subagent     bool            `json:"subagent"`     // the conversation is that of a subagent
	Body         json.RawMessage `json:"body,omitempty"`
}

// Server answers model requests. Safe for concurrent use.
type Server struct {
	Script []Step
	Dir    string        // of the files that a step writes
	Log    io.Writer     // one Request per line
	Delay  time.Duration // before each reply, so that the order of events is realistic

	mu       sync.Mutex
	served   int
	calls    int     // for identifiers
	subagent *Server // of the last call of a subagent
}

// Begin replaces the script.
func (s *Server) Begin(script []Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Script, s.served, s.subagent = script, 0, nil
}

// AuxiliaryText is the answer to requests outside the conversation, such as for titles and
// summaries.
const AuxiliaryText = "scripted model"

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "" {
		w.WriteHeader(http.StatusUpgradeRequired)
		return
	}
	raw, err := io.ReadAll(r.Body)
	var body object
	if err == nil && len(raw) > 0 && json.Unmarshal(raw, &body) != nil {
		raw, _ = json.Marshal(string(raw))
	}
	f, found := formatOf(r.URL.Path)
	if !found {
		s.record(r, raw, answer{step: -1})
		other(w, r)
		return
	}
	a := s.next(f, body, string(raw))
	s.record(r, raw, a)
	time.Sleep(s.Delay)
	f.reply(&reply{w: w, path: r.URL.Path, body: body, answer: a})
}

// next returns the answer to a request: the next step for the conversation, or a fixed one for
// other requests.
func (s *Server) next(f format, body object, raw string) answer {
	tools := f.tools(body)
	shell, hasShell := shellTool(tools)
	if _, reads := ReadKind.tool(tools); !hasShell && !reads {
		return auxiliary(f, body, tools)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	talk, subagent := s, strings.Contains(raw, SubagentPrompt) && !strings.Contains(raw, Prompt)
	if subagent && s.subagent != nil {
		talk = s.subagent
	}
	index := min(talk.served, len(talk.Script)-1)
	for index < len(talk.Script)-1 && !talk.Script[index].offered(tools) {
		index++
		talk.served++
	}
	talk.served++
	step := talk.Script[index]
	s.calls++
	a := answer{step: index, subagent: subagent, serial: s.calls, text: step.Say}
	switch {
	case step.Subagent != nil:
		s.subagent = &Server{Script: step.Subagent}
		a.call = useCall(tools, SubagentKind, subagentType(raw))
	case step.Use == TypeKind:
		a.call = typeCall(tools, step.Text, raw)
	case step.Use != "":
		a.call = useCall(tools, step.Use, filepath.Join(s.Dir, step.Write))
	case step.Shell != "" && hasShell:
		a.call = shell.shellCall(step.Shell)
	case step.Write != "":
		a.call = writeCall(tools, filepath.Join(s.Dir, step.Write), step.Text)
	}
	if a.call != nil && step.Background {
		a.call.background()
	}
	return a
}

func (s *Server) record(r *http.Request, body []byte, a answer) {
	line, err := json.Marshal(Request{
		Time: time.Now().UTC(), Method: r.Method, Path: r.URL.Path,
		Conversation: a.step >= 0, Step: a.step, Subagent: a.subagent, Body: body,
	})
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Log.Write(append(line, '\n'))
}

// other answers requests that are not for a completion.
func other(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/get-models"):
		sendJSON(w, augmentModels())
	case strings.HasSuffix(r.URL.Path, "/list-remote-tools"):
		sendJSON(w, object{"tools": []object{}})
	case strings.HasSuffix(r.URL.Path, "/models"):
		sendJSON(w, object{"object": "list", "data": []object{}, "models": []object{}})
	case strings.HasSuffix(r.URL.Path, "count_tokens"):
		sendJSON(w, object{"input_tokens": 10})
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		sendJSON(w, object{"totalTokens": 10})
	default:
		w.WriteHeader(http.StatusNotFound)
		sendJSON(w, object{"error": object{"message": "the scripted model has no " + r.URL.Path}})
	}
}
