package importer

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

const maxName = 64 // characters of a hook's name

// existing finds the names that are taken, and the hooks of a scope that were
// imported before.
func (c *converter) existing(scope, dir string) {
	c.known[scope] = map[string]*earlier{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		c.taken[strings.ToLower(e.Name())] = true
		text, _, _ := readRegular(filepath.Join(dir, e.Name(), "HOOK.md"))
		hook, _ := manifest.Parse(text, e.Name())
		mark, _ := hook.Metadata[importedKey].(string)
		if id, rest, _ := strings.Cut(mark, " "); id != "" {
			digest, _, _ := strings.Cut(rest, " ")
			c.known[scope][id] = &earlier{name: e.Name(), folder: filepath.Join(dir, e.Name()), digest: digest, priority: hook.Priority, tool: hook.Tool, when: hook.When}
			if hook.Protocol == c.agent.Name {
				c.imported = append(c.imported, imported{scope, id, hook.Trigger, hook.Priority})
			} else {
				c.follow(hook.Trigger, hook.Priority)
			}
		}
	}
}

// imported is a hook that was imported from the agent's settings before.
type imported struct {
	scope, id string
	trigger   spec.EventType
	priority  int
}

// follow makes the entries that are still to convert run after a hook.
func (c *converter) follow(trigger spec.EventType, priority int) {
	c.order[trigger] = max(c.order[trigger], c.first(trigger)-priority+1)
}

// first returns the priority of the first entry for an event.
func (c *converter) first(trigger spec.EventType) int {
	return cmp.Or(c.top[trigger], spec.DefaultPriority)
}

// precede makes the user's entries run before the project's that were imported
// earlier: priority comes before scope.
func (c *converter) precede(entries []*entry) {
	count := map[spec.EventType]int{}
	for _, e := range entries {
		if row, _ := c.row(e); row != nil {
			count[row.Spec()[0]]++
			count[row.Failed]++
		}
	}
	for _, h := range c.imported {
		if n := count[h.trigger]; h.scope == Project && n > 0 {
			c.top[h.trigger] = min(max(c.first(h.trigger), h.priority+n-1), spec.MaxPriority)
		}
	}
}

// name returns the first suggestion that is not taken.
func (c *converter) name(suggestions []string) string {
	base := suggestions[len(suggestions)-1]
	for n := 2; ; n++ {
		for _, name := range suggestions {
			if name != "" && !c.taken[name] {
				c.taken[name] = true
				return name
			}
		}
		suffix := fmt.Sprintf("-%d", n)
		suggestions = []string{strings.TrimRight(base[:min(len(base), maxName-len(suffix))], "-") + suffix}
	}
}

// suggestions returns names for the hook, best first. The last one is never
// empty.
func (b *builder) suggestions() []string {
	if b.hook.Prompt != "" {
		return []string{kebab("judge-" + b.row.Name), kebab("judge-" + b.agent.Name + "-" + b.row.Name)}
	}
	what, event := b.what(), b.row.Name
	if of := b.entry.part; of != nil {
		what, event = of.process.name, strings.TrimPrefix(event, "hook.")
	}
	if what == "" {
		return []string{kebab(b.agent.Name + "-" + string(b.hook.Trigger))}
	}
	if b.hook.Trigger == b.row.Failed {
		what += "-failure"
	}
	return []string{kebab(what), kebab(what + "-" + event), kebab(what + "-" + b.agent.Name + "-" + event)}
}

// vague are script names that are less informative than the names of their
// folders.
var vague = []string{"run", "main", "index", "hook", "hooks", "script", "scripts", "cli", "start", "handler", "src", "bin", "dist"}

// what describes the command line: the name of its first script, or the first words of its
// first command; "" if that is not possible. A script that gets another one as its first argument
// only starts that.
func (b *builder) what() string {
	for i, w := range b.words {
		if looksLikeFile(w) {
			for _, next := range b.words[i+1:] {
				if next.first || !looksLikeFile(next) {
					break
				}
				w = next
			}
			return scriptName(w.text)
		}
	}
	var words []string
	for _, w := range b.words {
		word := path.Base(strings.TrimRight(w.text, "/"))
		isName := isLower(word[0]) && kebab(word) == word // and not a number
		if len(words) > 0 && w.first || len(words) == maxWords || !isName {
			break
		}
		words = append(words, word)
	}
	if len(words) == 1 { // jq, echo, cat
		words = append(words, b.row.Name)
	}
	return strings.Join(words, "-")
}

// maxWords is the maximum number of words of a command in a hook's name, as in npm-run-lint.
const maxWords = 3

// scriptName returns the name of a script without its extension, with the name
// of its folder if it is vague.
func scriptName(text string) string {
	base := path.Base(text)
	name := strings.TrimSuffix(base, path.Ext(base))
	for dir := path.Dir(text); slices.Contains(vague, strings.ToLower(name)); dir = path.Dir(dir) {
		folder := path.Base(dir)
		if folder == "." || folder == "/" || strings.ContainsAny(folder, "$~") {
			break
		}
		if !strings.HasPrefix(folder, ".") && !slices.Contains(vague, strings.ToLower(folder)) {
			return folder + "-" + name
		}
	}
	return name
}

// kebab converts any text to a name: [a-z0-9] and single hyphens.
func kebab(text string) string {
	var b strings.Builder
	hyphen := false
	for i, r := range text {
		upper := 'A' <= r && r <= 'Z'
		if upper {
			hyphen = hyphen || i > 0 && isLower(text[i-1])
			r += 'a' - 'A'
		}
		if r > 127 || !isLower(byte(r)) && (r < '0' || r > '9') {
			hyphen = true
			continue
		}
		if hyphen && b.Len() > 0 {
			b.WriteByte('-')
		}
		hyphen = false
		b.WriteRune(r)
	}
	name := b.String()
	return strings.TrimRight(name[:min(len(name), maxName)], "-")
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
