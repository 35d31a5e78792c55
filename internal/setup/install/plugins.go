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
// program; since version 4, they clear variables of Go's runtime; since version 5, OpenCode 2
// loads them.
const layoutVersion = 5

//go:embed runner.js
var runnerJS string

func (t Target) head(comment string) string {
	return fmt.Sprintf("%s %s%d. Remove it with: agent-hooks uninstall %s\n", comment, marker, layoutVersion, t.Name)
}

// plugin returns a JavaScript module that calls agent-hooks.
func (t Target) plugin(p Place, o Options, events []Event) string {
	names := []string{}
	longest := shortTimeout
	for _, e := range events {
		names = append(names, strings.TrimPrefix(e.Name, "event:"))
		longest = max(longest, e.Timeout)
	}
	words := t.command(o, !p.Cloud, "", longest)
	folders := []string{}
	if o.shares() {
		folders = programFolders()
	}
	settings := fmt.Sprintf("const program = %s\nconst args = %s\nconst agent = %s\nconst events = new Set(%s)\nconst timeout = %d // ms\nconst failClosed = %t\nconst absent = %s\nconst folders = %s\n",
		jsText(words[0]), jsText(words[1:]), jsText(t.Agent.Name), jsText(names), longest.Milliseconds(), o.FailClosed, jsText(t.missing(o)), jsText(folders))
	body := p.Settings.Plugin
	if t.loadsEarlier(p) && !o.shares() { // the others of a team may have another version
		body = p.Earlier
	}
	return t.head("//") + settings + runnerJS + "\n" + body()
}

// loadsEarlier reports whether the installed version does not load a place's file in its present form.
func (t Target) loadsEarlier(p Place) bool {
	return p.Since != "" && t.Version != "" && olderVersion(t.Version, p.Since)
}

// loading reports whether the installed version loads the plugins of a scope.
func (t Target) loading(scope string) (found []Finding) {
	for _, a := range t.everyPlace(scope) {
		switch {
		case a.place.Since == "" || t.Program == "":
		case t.Version == "":
			found = append(found, finding(Note, fmt.Sprintf("the version of %s is unknown; %s is for %s %s and later", t.Title, a.path, t.Title, a.place.Since), ""))
		case t.loadsEarlier(a.place) && scope == "project":
			found = append(found, finding(Broken, fmt.Sprintf("%s %s does not load %s, which needs %s", t.Title, t.Version, a.path, a.place.Since), "update "+t.Title))
		}
	}
	return found
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

// script returns a script that runs words. It gives without if they must not be
// required (D84) and their program is missing.
func (t Target) script(o Options, words []string, without absence, closes bool) string {
	if t.GOOS == "windows" {
		line := "$input | " + powerShell.line(words) + exitStatus
		if closes {
			line = "$input | " + powerShell.line(words) + closedStatus
		}
		if o.shares() {
			line = sharedPowerShell(words[0], line, without)
		}
		return t.head("#") + line + "\n"
	}
	guard := ""
	switch {
	case o.shares():
		words = sharedWords(words, without)
	case !closes:
		guard = guardStart + posix.quote(words[0]) + " ] || { " + without.line() + "; exit 0; }\n"
	}
	if closes {
		words = closedWords(words)
	}
	return "#!/bin/sh\n" + t.head("#") + guard + "export " + o.start(closes) + "\nexec " + posix.line(words) + ` "$@"` + "\n"
}
