package scaffold

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/yamltext"
	"github.com/agent-hooks/agent-hooks/spec"
)

// newJudge returns the files of a hook that asks a model (D79).
func newJudge(o Options) ([]File, error) {
	if !o.Trigger.Valid() {
		near, _ := near.Event(string(o.Trigger))
		return nil, &Problem{Option: "trigger", Message: "unknown event " + quote(string(o.Trigger)), Instead: string(near)}
	}
	c, err := newCall(o)
	if err != nil {
		return nil, err
	}
	info, _ := spec.Info(o.Trigger)
	values := map[string]string{
		"name": o.Name, "trigger": string(o.Trigger), "when": info.When, "tool": o.Tool, "pattern": o.Pattern,
		"about": "Asks a model " + info.When + ".", "event": "", "asked": string(o.Trigger),
	}
	features := []string{string(o.Trigger)}
	switch {
	case o.Trigger.IsTool():
		features = append(features, "tool-event")
		values["event"], values["asked"] = toolEvent(c.tool, c.text), literal(yamltext.JSON(c.text))
	case o.Trigger == spec.PreAgentTurnStop || o.Trigger == spec.PostSubagent:
		values["event"] = "patch:  # changes to the sample event\n  last_message: It should work now.\n"
		values["asked"] = "It should work now"
	}
	for feature, has := range map[string]bool{"tool": o.Tool != "", "pattern": o.Pattern != ""} {
		if has {
			features = append(features, feature)
		}
	}
	script := File{"scripts/run.sh", render("judge.sh", nil, values), true}
	if o.Language == "python" {
		script = File{"scripts/run.py", render("judge.py", nil, values), true}
	}
	files := []File{
		{"HOOK.md", render("judge.md", features, values), false},
		{"prompt.md", render("judge-prompt.md", features, values), false},
		script,
	}
	for _, one := range [][2]string{{"fires", "objects"}, {"passes", "agrees"}, {"fails", "babbles"}} {
		files = append(files, File{"tests/" + one[0] + ".yaml", render("judge-case.yaml", []string{one[1]}, values), false})
	}
	return files, nil
}

// literal returns an expression for the text of a JSON string.
func literal(json string) string {
	var b strings.Builder
	for _, r := range json[1 : len(json)-1] {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
