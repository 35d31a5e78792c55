package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"golang.org/x/text/unicode/norm"
)

// Pause returns the text of a user's file that disables a hook until a time, in place of an earlier
// pause; the zero time only ends that. It changes nothing else.
func Pause(text, name string, until time.Time) (string, error) {
	changed, err := ending(text, "[[hooks.disable]] # agent-hooks pause\nname = "+strconv.Quote(name), name, until)
	f := Parse([]byte(changed), Name, discovery.UserScope)
	other := func(e entry) bool {
		at, _ := get[time.Time](e, "until")
		return e.name == norm.NFKC.String(name) && (until.IsZero() || !at.Equal(until.Truncate(time.Second)))
	}
	if i := slices.IndexFunc(f.disable, other); i >= 0 && err == nil {
		return "", fmt.Errorf("line %d disables this hook, too; change or remove that entry", f.disable[i].line)
	}
	return changed, err
}

// Trial is Pause for a hook that is only observed.
func Trial(text, name string, until time.Time) (string, error) {
	return ending(text, "[[hooks.override]] # agent-hooks add: a trial\nname = "+strconv.Quote(name)+"\nobserve = true", name, until)
}

// ending replaces the entry that begins with some lines, or adds it. What the user has added to the
// entry of a trial stays.
func ending(text, begin, name string, until time.Time) (string, error) {
	begin += "\nuntil = "
	if before, rest, found := strings.Cut(text, begin); found {
		_, after, _ := strings.Cut(rest, "\n")
		text = strings.TrimSuffix(before, "\n") + after
		if header, trial := strings.CutSuffix(begin, "\nobserve = true\nuntil = "); trial && hasKeys(after) {
			text = before + header + "\n" + after
		}
	}
	if until.IsZero() {
		return text, nil
	}
	if text != "" {
		text = strings.TrimSuffix(text, "\n") + "\n\n"
	}
	block := begin + until.UTC().Format(time.RFC3339) + "\n"
	f := Parse([]byte(text+block), Name, discovery.UserScope)
	counts := func(e entry) bool { return e.name == norm.NFKC.String(name) && e.values["until"].line > 0 }
	if f.unusable || !slices.ContainsFunc(f.disable, counts) && !slices.ContainsFunc(f.override, counts) {
		err := errors.New("an entry for this hook is there already")
		if len(f.Diagnostics) > 0 {
			err = errors.New(f.Diagnostics[0].String())
		}
		return "", fmt.Errorf("the file cannot get these lines: %w", err)
	}
	return text + block, nil
}

// hasKeys reports whether the first line of a text that is no comment has a key.
func hasKeys(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return line[0] != '['
		}
	}
	return false
}
