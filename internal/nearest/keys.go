package nearest

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// key takes a quoted word before a colon for the name of a key, and tries
// those in the input that are meant to be the same.
func (t *trial) key() (changes []Change) {
	values, _ := Values(t.Subject.Text)
	have := keys(values)
	for _, word := range t.runs() {
		if slices.Contains(have, word.text) || word.begin == 0 || t.source[word.begin-1] != '"' || !strings.HasPrefix(t.source[word.end:], `":`) {
			continue
		}
		for _, name := range have {
			if len(changes) >= mostPlaces || !sameKey(word.text, name) {
				continue
			}
			changes = append(changes, Change{Kind: "key", To: t.edited(edit{word.begin, word.end, name}), Why: "the key is " + quoted(name)})
		}
	}
	return changes
}

// sameKey reports whether two keys are nearly the same, or what different
// agents call the same.
func sameKey(a, b string) bool {
	if strings.ContainsFunc(b, func(r rune) bool { return !wordRune(r) }) {
		return false
	}
	for _, group := range [...]string{
		" command cmd command_line CommandLine commands ",
		" file_path filePath file path filename file_name target_file TargetFile AbsolutePath absolute_path notebook_path ",
		" content contents text file_text CodeContent new_string newString new_str ",
		" old_string old_str oldString oldText TargetContent ",
		" pattern query Query ",
		" url Url uri ",
		" prompt task description ",
	} {
		if strings.Contains(group, " "+a+" ") && strings.Contains(group, " "+b+" ") {
			return true
		}
	}
	_, near := spec.Nearest(a, []string{b})
	return near
}
