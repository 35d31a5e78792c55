package agent

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

// TestDocument compares docs/reference/agents.md with the tables.
func TestDocument(t *testing.T) {
	const file = "../../docs/reference/agents.md"
	want := document()
	if flag.Lookup("update").Value.String() == "true" { // declared with TestCells
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("docs/reference/agents.md differs from the tables; write it with: go test ./internal/agent -run TestDocument -update")
	}
}

func document() string {
	var b strings.Builder
	b.WriteString(documentHead)
	b.WriteString("| agent | `--agent` | verified | block a tool | ask | change an input | context with a prompt | block a prompt | block a stop |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, a := range agents {
		fmt.Fprintf(&b, "| [%s](#%s) | `%s` | %s | %s | %s | %s | %s | %s | %s |\n", a.Title, anchor(a.Title), a.Name, verified(a),
			blocks(a, spec.PreToolCall), asks(a), changes(a), contexts(a), blocks(a, spec.PreAgentTurn), blocks(a, spec.PreAgentTurnStop))
	}
	b.WriteString(documentAbilities)
	for _, a := range agents {
		section(&b, a)
	}
	b.WriteString(documentAdd)
	return b.String()
}

func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-':
			return r
		}
		return -1
	}, strings.ToLower(title))
}

func verified(a *Agent) string {
	if a.Live {
		return "live, " + a.Version
	}
	return "documentation, " + a.Version
}

func blocks(a *Agent, e spec.EventType) string {
	row := a.EventFor(e)
	switch {
	case row == nil:
		return "no event"
	case row.Exit2 || row.Deny != nil:
		return "yes"
	}
	return "no"
}

func asks(a *Agent) string {
	row := a.EventFor(spec.PreToolCall)
	switch {
	case row.Ask == nil || len(a.AskModes) == 0:
		return "as a deny"
	case a.AskModes[0] == "*":
		return "yes"
	}
	return "in " + strings.Join(a.AskModes, ", ")
}

func changes(a *Agent) string {
	row := a.EventFor(spec.PreToolCall)
	switch {
	case row.Input == nil:
		return "as a deny that shows it"
	case row.Harmless:
		return "yes"
	}
	return "with an allow"
}

func contexts(a *Agent) string {
	if row := a.EventFor(spec.PreAgentTurn); row != nil && row.Context != nil {
		return "yes"
	}
	return "no"
}

func section(b *strings.Builder, a *Agent) {
	fmt.Fprintf(b, "\n## %s\n\n", a.Title)
	how := "The table follows the documentation; the agent was not run."
	if a.Live {
		how = "The table was verified with the running agent."
	}
	fmt.Fprintf(b, "Version %s, verified on %s. %s Source: %s.\n", a.Version, a.Date, how, a.Source)
	for _, s := range a.Settings {
		if !s.HasHooks() {
			continue
		}
		fmt.Fprintf(b, "\n* %s settings: `%s`", s.Scope(), s.Path)
		if s.Home != "" {
			fmt.Fprintf(b, " (`%s` replaces the folder)", s.Home)
		}
	}
	if len(a.Variables) > 0 {
		fmt.Fprintf(b, "\n* the project: `%s`", strings.Join(a.Variables, "`, `"))
	}
	b.WriteString("\n\n| event | hooks | block | ask | allow | changed input | context | message | output |\n|---|---|---|---|---|---|---|---|---|\n")
	var others []string
	for _, row := range a.Rows() {
		if len(row.Spec()) == 0 {
			others = append(others, row.Name)
			continue
		}
		block := formText(row, row.Deny)
		if row.Exit2 {
			block = "exit status 2"
		}
		context := row.Context
		if row.Prompt != nil {
			context = slices.Concat(row.Prompt, context)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n", row.Name, specs(row), block, formText(row, row.Ask), formText(row, row.Allow),
			formText(row, row.Input), formText(row, context), formText(row, row.Message), formText(row, row.Output))
	}
	if len(others) > 0 {
		fmt.Fprintf(b, "\nThese events have no counterpart in hooks: %s.\n", strings.Join(others, ", "))
	}
	var notes []string
	for _, row := range a.Rows() {
		if row.Note != "" {
			notes = append(notes, fmt.Sprintf("* `%s`: %s.\n", row.Name, row.Note))
		}
	}
	if place := a.Setup.Unguarded; place != "" {
		notes = append(notes, "* Guards hold in subagents, background tasks and modes, except: "+place+".\n")
	}
	for _, q := range a.Quirks {
		notes = append(notes, fmt.Sprintf("* Q-%s-%d: %s (%s).\n", a.Name, q.Number, q.Text, q.Source))
	}
	b.WriteString("\n" + strings.Join(notes, ""))
}

func specs(row *NativeEvent) string {
	var names []string
	for _, e := range row.Spec() {
		names = append(names, string(e))
	}
	if row.Failed != "" {
		names = append(names, string(row.Failed))
	}
	if row.Subagent != "" {
		names = append(names, string(row.Subagent))
	}
	return strings.Join(names, ", ")
}

// formText renders a form as the answer that it becomes.
func formText(row *NativeEvent, f Form) string {
	if f == nil {
		return "-"
	}
	if f.silent() {
		return "silence"
	}
	if _, ok := f.whole(); ok {
		return "text on stdout"
	}
	var o object
	v := values{
		reason: "REASON", context: "CONTEXT", message: "MESSAGE",
		input: []byte("INPUT"), prompt: []byte(`"PROMPT"`), output: []byte("OUTPUT"), event: row.Name,
	}
	f.apply(&o, &v)
	return "`" + strings.ReplaceAll(string(o.append(nil)), "|", "\\|") + "`"
}

const documentHead = `# Agents

` + "`agent-hooks install NAME`" + ` configures an agent. The agent then calls
` + "`agent-hooks run --agent NAME`" + ` with its own payload and gets the answer in its own
format. This page shows what each agent supports; it is generated from the tables of
` + "`internal/agent`" + `. ` + "`agent-hooks doctor`" + ` checks your machine, and
[agents-live.md](agents-live.md) shows what was observed in the running programs.

The agents are in the order of their use: four as surveys of developers in 2026 name them,
then five by the number of public repositories with their settings, then the others.

In the first table, *verified* is the version of the agent that was run (live) or whose
documentation was read. The other columns state whether a hook can do this in the agent.

`

const documentAbilities = `
Anything that an agent cannot express is never dropped silently and never weakened
([D45](decisions.md#agents)):

* **ask** is sent only where the agent is known to wait for a person. Elsewhere it is a
  deny whose reason says that a person must approve.
* **a changed input** that would also grant the tool is sent only together with a hook's
  ` + "`allow`" + `. Otherwise it is a question, or a deny that shows the changed input, so that the
  model can request it.
* **a deny that the agent cannot enforce** (` + "`no`" + ` above) is shown to the user as a
  message and logged as ` + "`not-enforced`" + `.
* **no opinion** is the agent's silent form, never a grant.

With the options ` + "`--ask=ignore`" + ` and ` + "`--modify=ignore`" + ` of ` + "`run`" + ` and ` + "`install`" + `, such questions
and changes are dropped with a warning instead.

Each section below lists an agent's events, the hooks' events that they become, and the
form of each part of an answer: the JSON on stdout at exit status 0, with placeholders in
capitals. A dash means that the agent has no form for it. The entries with numbers (Q-…)
are properties of an agent that its documentation does not make obvious.
`

const documentAdd = `
# Adding an agent

An agent is one file in ` + "`internal/agent`" + `: a table, and the few functions that only it needs.
Everything else (decoding, answers, running scripts written for it, recognition,
installing, doctor, import, this page) is derived from the table.

1. Collect the payloads that the agent sends: run it with a hook that saves its stdin, and
   put the payloads into ` + "`testdata/events/agents`" + ` as NAME-EVENT.json, and a check of each into
   ` + "`cmd/agent-hooks/testdata/script/payloads.txtar`" + `. Without the agent, take them from its
   documentation, and write them into fixtures only.
2. Write ` + "`internal/agent/NAME.go`" + ` with one ` + "`Agent`" + `, and add it to the list in ` + "`internal/agent/list.go`" + `. Every
   event of the agent needs a row, including those without a hook event, because an event
   that is not in the table is a failure (D42). An event with a name of Claude Code's, in any
   spelling, has its meaning; otherwise ` + "`Means`" + ` states it. A key of a tool's input needs a row in
   ` + "`Keys`" + ` if its canonical name is another one, and ` + "`file_path`" + ` always. Fill a cell only from a
   source, and state the version and the date. ` + "`Proof`" + ` lists top-level keys that no other
   agent's payload has. If ` + "`TestProof`" + ` finds that a payload of yours proves another agent, add
   such a key of yours to ` + "`Lacks`" + ` in that agent's ` + "`Proof`" + `, in its file.
3. Set ` + "`Judging`" + ` with its ` + "`Schema`" + `, ` + "`Base`" + ` and ` + "`Environment`" + `: how the agent interprets the
   answers of its own hooks, and what they receive. Scripts with ` + "`metadata: {protocol: NAME}`" + `
   use them.
4. Set ` + "`Settings`" + `, the files in which the agent looks for hooks, with the ` + "`Layout`" + ` and the ` + "`Entry`" + ` of
   those that install writes, and ` + "`Setup`" + `: how the agent is found, the steps that only a
   person can do, what disables its hooks or invalidates a file, and how its matchers are
   read. An agent that needs a plugin has its body in ` + "`internal/agent/plugins`" + `.
5. Add a fixture in ` + "`internal/agent/testdata/NAME`" + ` for each payload and each cell. Its sections are
   explained in ` + "`internal/agent/fixture_test.go`" + `. ` + "`go test ./internal/agent`" + ` then also checks that a script's
   answer has the same effect through agent-hooks as directly, in both directions.
6. Add a numbered quirk for each fact that a reader of the agent's documentation would get
   wrong, with its source and a fixture that fails without it.
7. If the agent runs headless, add it to ` + "`e2e`" + `, and set ` + "`Live`" + ` once every check passes.
8. Run ` + "`go test ./internal/agent -update`" + `, which writes this page, the answers in ` + "`internal/agent/testdata/NAME.cells`" + `, and the names in
   ` + "`spec`" + ` and the schemas; then ` + "`go test ./spec ./manifest ./internal/setup/install -update`" + `: a message and tables that list all agents.
   Read the differences. ` + "`go test ./internal/setup/...`" + ` installs and uninstalls the agent.
`
