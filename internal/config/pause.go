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
	return ending(text, "[[hooks.disable]] # agent-hooks pause\nname = "+strconv.Quote(name), name, until)
}

// Trial is Pause for a hook that is only observed.
func Trial(text, name string, until time.Time) (string, error) {
	return ending(text, "[[hooks.override]] # agent-hooks add: a trial\nname = "+strconv.Quote(name)+"\nobserve = true", name, until)
}

// ending replaces the entry that begins with some lines, or adds it.
func ending(text, begin, name string, until time.Time) (string, error) {
	begin += "\nuntil = "
	if before, rest, found := strings.Cut(text, begin); found {
		_, after, _ := strings.Cut(rest, "\n")
		text = strings.TrimSuffix(before, "\n") + after
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
