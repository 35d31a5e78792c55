package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"golang.org/x/text/unicode/norm"
)

// Pause returns the text of a user's file that disables a hook until a time, in place of an earlier
// pause; the zero time only ends that. It changes nothing else.
func Pause(text, name string, until time.Time) (string, error) {
	begin := "[[hooks.disable]] # agent-hooks pause\nname = " + strconv.Quote(name) + "\nuntil = "
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
	if e := f.disabled[norm.NFKC.String(name)]; e.values["until"].line == 0 {
		err := errors.New("it is disabled there without an end")
		if len(f.Diagnostics) > 0 {
			err = errors.New(f.Diagnostics[0].String())
		}
		return "", fmt.Errorf("the file cannot get these lines: %w", err)
	}
	return text + block, nil
}
