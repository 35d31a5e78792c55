package install

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// layoutVersion is in each file that is entirely ours. It changes with the
// files' content; doctor reports files of other versions. Since version 2,
// plugins use one server; since version 3, a project's files work without the
// program.
const layoutVersion = 3

//go:embed runner.js
var runnerJS string

// content returns a file that is entirely ours.
func (w Writing) content(p Place) string {
	switch {
	case p.Settings.Plugin != nil:
		return w.plugin(p.Settings.Plugin())
	case p.PerEvent:
		return w.script(w.Calls.words(w.Client.Agent.Name, w.eventArgument(), w.Event.Timeout))
	case p.Script:
		return w.script(w.Calls.words(w.Client.Agent.Name, "", maxTimeout))
	}
	return p.Text
}

func (w Writing) head(comment string) string {
	return fmt.Sprintf("%s %s%d. Remove it with: agent-hooks uninstall %s\n", comment, marker, layoutVersion, w.Client.Name)
}

// plugin returns a JavaScript module that calls agent-hooks.
func (w Writing) plugin(body string) string {
	names := []string{}
	longest := shortTimeout
	for _, e := range w.Events {
		names = append(names, strings.TrimPrefix(e.Name, "event:"))
		longest = max(longest, e.Timeout)
	}
	words := w.Calls.words(w.Client.Agent.Name, "", longest)
	absent, folders := "", []string{}
	if w.Shared {
		absent, folders = howToInstall, programFolders()
	}
	settings := fmt.Sprintf("const program = %s\nconst args = %s\nconst agent = %s\nconst events = new Set(%s)\nconst timeout = %d // ms\nconst failClosed = %t\nconst absent = %s\nconst folders = %s\n",
		jsText(words[0]), jsText(words[1:]), jsText(w.Client.Agent.Name), jsText(names), longest.Milliseconds(), w.FailClosed, jsText(absent), jsText(folders))
	return w.head("//") + settings + runnerJS + "\n" + body
}

// pluginWords parses the program and its arguments from a plugin.
func pluginWords(text string) []string {
	var program string
	var args []string
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, "const program = "); ok && json.Unmarshal([]byte(value), &program) != nil {
			return nil
		}
		if value, ok := strings.CutPrefix(line, "const args = "); ok && json.Unmarshal([]byte(value), &args) != nil {
			return nil
		}
	}
	if program == "" || len(args) == 0 {
		return nil
	}
	return append([]string{program}, args...)
}

func jsText(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // encoding strings cannot fail
	return strings.ReplaceAll(strings.TrimSpace(b.String()), `","`, `", "`)
}

func (w Writing) eventArgument() string {
	if !w.Client.Agent.NamesEvent() {
		return w.Event.Name
	}
	return ""
}

func (w Writing) script(words []string) string {
	if w.GOOS == "windows" {
		line := "$input | " + powerShell.line(words) + exitStatus
		if w.Shared {
			line = sharedPowerShell(words[0], line, w.Without)
		}
		return w.head("#") + line + "\n"
	}
	if w.Shared {
		words = sharedWords(words, w.Without)
	}
	return "#!/bin/sh\n" + w.head("#") + "exec " + posix.line(words) + ` "$@"` + "\n"
}
