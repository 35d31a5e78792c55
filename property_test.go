package agenthooks_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// randomHook is a hook with known behavior.
type randomHook struct {
	name    string
	pattern string // "" matches every input
	says    string // allow, deny, ask, none or fail
	policy  string // on-failure
	changes string // the new command; "" for no change
}

var commands = []string{"ls", "rm", "cp", "mv"}

func newRandomHook(r *rand.Rand, name string) randomHook {
	h := randomHook{name: name, says: pick(r, "allow", "none", "none", "ask", "fail", "deny"), policy: pick(r, "allow", "allow", "ask", "deny")}
	if r.IntN(2) == 0 {
		h.pattern = "^[" + string(pick(r, commands...)[0]) + string(pick(r, commands...)[0]) + "]"
	}
	if h.says != "deny" && h.says != "fail" && r.IntN(2) == 0 {
		h.changes = pick(r, commands...)
	}
	return h
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

// script returns a script that records the input of each call and then answers.
func (h randomHook) script() string {
	note := `echo ` + h.name + ` $(sed -n 's/.*"command": "\([a-z]*\)".*/\1/p') >> seen; `
	switch h.says {
	case "deny":
		return note + "exit 2"
	case "fail":
		return note + "exit 1"
	}
	answer := map[string]any{}
	if h.says != "none" {
		answer["decision"] = h.says
	}
	if h.changes != "" {
		answer["modified_input"] = map[string]string{"command": h.changes}
	}
	text, _ := json.Marshal(answer)
	return note + "echo '" + string(text) + "'"
}

func (h randomHook) matches(command string) bool {
	return h.pattern == "" || regexp.MustCompile(h.pattern).MatchString(command)
}

// denies reports whether the hook denies every input.
func (h randomHook) denies() bool {
	return h.says == "deny" || h.says == "fail" && h.policy == "deny"
}

func (h randomHook) asks() bool {
	return h.says == "ask" || h.says == "fail" && h.policy == "ask"
}

// TestProperties checks properties that hold for every set of hooks (D28,
// D29): a run is blocked if and only if a hook denies; an allow is for the
// input that reaches the tool; every hook that matches this input has seen it;
// and the passes end.
func TestProperties(t *testing.T) {
	rounds := 120
	if os.Getenv("LONG_TESTS") == "" {
		rounds = 4 // TestLoop has thousands
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			s := newScratch(t)
			hooks := map[string]randomHook{}
			for i := range 1 + r.IntN(5) {
				h := newRandomHook(r, fmt.Sprintf("h%d", i))
				lines := []string{"metadata: {on-failure: " + h.policy + "}"}
				if h.pattern != "" {
					lines = append(lines, "matcher: {pattern: '"+h.pattern+"'}")
				}
				hooks[h.name] = h
				s.hook(h.name, h.script(), lines...)
			}
			report := s.preTool()
			checkProperties(t, hooks, report, strings.Split(strings.TrimSpace(s.read("seen")), "\n"))
			if t.Failed() {
				t.Logf("hooks %+v\nseen %q\nanswer %+v", hooks, s.read("seen"), report.Answer)
			}
		})
	}
}

// checkProperties checks a run of hooks; seen has a line "HOOK COMMAND" for
// each call.
func checkProperties(t *testing.T, hooks map[string]randomHook, report *agenthooks.Report, seen []string) {
	t.Helper()
	denied, modifiers, calls := "", 0, map[string]int{}
	for _, h := range hooks {
		if h.changes != "" {
			modifiers++
		}
	}
	for _, line := range seen {
		name, command, _ := strings.Cut(line, " ")
		h := hooks[name]
		if name != "" && !h.matches(command) {
			t.Errorf("%s ran on %s", name, command)
		}
		if h.denies() {
			denied = name
		}
		if calls[name]++; calls[name] > modifiers+1 {
			t.Errorf("%s ran %d times with %d modifiers", name, calls[name], modifiers)
		}
	}
	if report.Blocked != (denied != "") || report.BlockedBy != denied {
		t.Errorf("blocked %v by %q, denied by %q", report.Blocked, report.BlockedBy, denied)
	}
	if report.Blocked != (report.Answer.Decision == protocol.Deny) || report.Blocked && report.Answer.ModifiedInput != nil {
		t.Errorf("blocked %v with the answer %+v", report.Blocked, report.Answer)
	}
	if !report.Blocked {
		checkFinal(t, hooks, report, seen)
	}
}

// checkFinal checks a run that is not blocked: every hook that matches the
// final input has seen it or made it, and the decision is theirs.
func checkFinal(t *testing.T, hooks map[string]randomHook, report *agenthooks.Report, seen []string) {
	t.Helper()
	final := finalCommand(t, report)
	var ask, allow, makerAsks, makerAllows bool
	for name, h := range hooks {
		made := h.changes == final
		if h.matches(final) && !made && !slices.Contains(seen, name+" "+final) {
			t.Errorf("%s did not run on %s", name, final)
		}
		// A hook that wants another input has not allowed the final one.
		allows := h.says == "allow" && (h.changes == "" || made)
		ask = ask || h.matches(final) && h.asks()
		allow = allow || h.matches(final) && allows
		// The hook that made the final input counts even if it does not match
		// it.
		makerAsks = makerAsks || made && h.asks()
		makerAllows = makerAllows || made && allows
	}
	got := report.Answer.Decision
	if ask && got != protocol.Ask || got == protocol.Ask && !ask && !makerAsks {
		t.Errorf("the decision about %s is %q, ask %v", final, got, ask)
	}
	if allow && got == protocol.NoOpinion || got == protocol.Allow && !allow && !makerAllows {
		t.Errorf("the decision about %s is %q, allow %v", final, got, allow)
	}
}

// finalCommand returns the command that reaches the tool.
func finalCommand(t *testing.T, report *agenthooks.Report) string {
	t.Helper()
	if report.Answer.ModifiedInput == nil {
		return "ls"
	}
	var input struct{ Command string }
	if err := json.Unmarshal(report.Answer.ModifiedInput, &input); err != nil {
		t.Fatal(err)
	}
	return input.Command
}
