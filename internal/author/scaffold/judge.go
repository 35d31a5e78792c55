package scaffold

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// judge returns the files of a hook that asks a model (D79).
func (d *draft) judge(c call) []state.File {
	d.values["about"], d.values["event"], d.values["asked"] = "Asks a model "+d.values["when"]+".", "", string(d.Trigger)
	switch {
	case d.Trigger.IsTool():
		d.mark("tool-event", true)
		d.values["event"], d.values["asked"] = toolEvent(c.tool, c.text), literal(tree.JSON(c.text))
	case d.Trigger == spec.PreAgentTurnStop || d.Trigger == spec.PostSubagent:
		d.values["event"] = "patch:  # changes to the sample event\n  last_message: It should work now.\n"
		d.values["asked"] = "It should work now"
	}
	script := d.file("scripts/run.sh", "judge.sh")
	if d.Language == "python" {
		script = d.file("scripts/run.py", "judge.py")
	}
	files := []state.File{d.file("HOOK.md", "judge.md"), d.file("prompt.md", "judge-prompt.md"), script}
	for _, one := range [][2]string{{"fires", "objects"}, {"passes", "agrees"}, {"fails", "babbles"}} {
		d.features = []string{one[1]}
		files = append(files, d.file("tests/"+one[0]+".yaml", "judge-case.yaml"))
	}
	return files
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
