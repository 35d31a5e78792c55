package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// scopeFlag selects a scope for commands that change settings or hooks. --user is short for
// --scope user there.
type scopeFlag struct{ chosen string } // "user", "project" or one of others; "" if not given

func (f *scopeFlag) declare(fs *flag.FlagSet, usage string, others ...string) {
	scopes := append([]string{"user", "project"}, others...)
	choose := func(scope string) error {
		if !slices.Contains(scopes, scope) {
			return fmt.Errorf("neither %s", strings.Join(scopes, " nor "))
		}
		if f.chosen != "" && f.chosen != scope {
			return fmt.Errorf("--scope is %s, not both", strings.Join(scopes, " or "))
		}
		f.chosen = scope
		return nil
	}
	fs.Func("scope", usage, choose)
	fs.BoolFunc("user", "the same as --scope user", func(text string) error {
		if on, err := strconv.ParseBool(text); err != nil || !on {
			return errors.New("takes no value")
		}
		return choose("user")
	})
}

type jsonFlag struct{ json bool }

func (f *jsonFlag) declare(fs *flag.FlagSet) { fs.BoolVar(&f.json, "json", false, "print JSON") }

// declareCount declares a flag for a number that is not negative.
func declareCount(fs *flag.FlagSet, to *int, name, usage string) {
	fs.Func(name, usage, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return errors.New("not a whole number from 0")
		}
		*to = n
		return nil
	})
}

// policyFlags specify what to do with a result that an agent cannot express (D45).
type policyFlags struct{ ask, modify string }

func (f *policyFlags) declare(fs *flag.FlagSet) {
	f.declareValues(fs, "a question that the agent cannot ask", "a changed input that the agent cannot use", "deny", "ignore")
}

func (f *policyFlags) declareValues(fs *flag.FlagSet, ask, modify string, values ...string) {
	policy := func(to *string, name, usage string) {
		fs.Func(name, "`"+strings.Join(values, "|")+"` "+usage, func(text string) error {
			if text != "" && !slices.Contains(values, text) {
				return errors.New("not one of " + strings.Join(values, ", "))
			}
			*to = text
			return nil
		})
	}
	policy(&f.ask, "ask", ask)
	policy(&f.modify, "modify", modify)
}

// callFlags describe a tool's call, in place of an event on stdin.
type callFlags struct{ tool, command, path string }

func (f *callFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.tool, "tool", "", "use a call of the tool `NAME` as the event; default: Bash with --command, Write with --path")
	fs.StringVar(&f.command, "command", "", "use a call with the command `TEXT` as the event, instead of one on stdin")
	fs.StringVar(&f.path, "path", "", "use a call with the path `PATH` as the event, instead of one on stdin")
}

// given reports whether the event is not on stdin.
func (f *callFlags) given() bool { return *f != callFlags{} }

// event returns the event that a word names; without a word, pre-tool-call for a call.
func (f *callFlags) event(command, word string) (spec.EventType, error) {
	if word == "" && f.given() {
		return spec.PreToolCall, nil
	}
	event, err := eventArgument(command, word)
	if err == nil && f.given() && !event.IsTool() {
		err = usagef("agent-hooks "+command+" "+string(spec.PreToolCall)+" …", "%s: %s has no tool call, as --tool, --command and --path describe", command, event)
	}
	return event, err
}

// object returns the call as the JSON of an event.
func (f *callFlags) object() []byte {
	tool, input := f.tool, []byte("{")
	add := func(key, value, usual string) {
		if value == "" {
			return
		}
		if tool == "" {
			tool = usual
		}
		if len(input) > 1 {
			input = append(input, ", "...)
		}
		input = append(append(rawjson.AppendText(input, key), ": "...), rawjson.AppendText(nil, value)...)
	}
	add("command", f.command, "Bash")
	add("file_path", f.path, "Write")
	raw := append([]byte(`{"tool_name": `), rawjson.AppendText(nil, tool)...)
	return append(append(append(raw, `, "tool_input": `...), input...), "}}"...)
}

// declareSince declares the flag --since.
func declareSince(fs *flag.FlagSet, to *time.Time, usage string) {
	fs.Func("since", usage, func(word string) (err error) {
		var ok bool
		*to, ok = parseSince(word, time.Now())
		if !ok {
			err = errors.New("neither a duration, such as 2h or 3d, nor a time, such as 2026-11-20 or 2026-11-20T15:04")
		}
		return err
	})
}

// parseSince parses a local time, or a duration before now: 90m, 3d, 2026-11-20 or
// 2026-11-20T15:04.
func parseSince(word string, now time.Time) (since time.Time, ok bool) {
	if ago, ok := parseAgo(word); ok {
		return now.Add(-ago), true
	}
	return parseTime(word, now)
}

// parseUntil parses a local time, or a duration from now: 90m, 3d, 17:00 (the next one), 2026-11-20 or
// 2026-11-20T15:04.
func parseUntil(word string, now time.Time) (until time.Time, ok bool) {
	if in, ok := parseAgo(word); ok {
		return now.Add(in), true
	}
	if at, ok := parseTime(now.Format(time.DateOnly)+"T"+word, now); ok {
		if !at.After(now) {
			at = at.AddDate(0, 0, 1)
		}
		return at, true
	}
	return parseTime(word, now)
}

func parseTime(word string, now time.Time) (at time.Time, ok bool) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04:05", time.DateTime, time.RFC3339} {
		if t, err := time.ParseInLocation(layout, word, now.Location()); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// parseAgo parses a duration, which may begin with days: 3d, 1d12h.
func parseAgo(word string) (ago time.Duration, ok bool) {
	number, rest, hasDays := strings.Cut(word, "d")
	if !hasDays {
		number, rest = "0", word
	} else if rest == "" {
		rest = "0s"
	}
	days, err := strconv.ParseUint(number, 10, 16) // 179 years
	more, wrong := time.ParseDuration(rest)
	ago = time.Duration(days)*24*time.Hour + more
	return ago, err == nil && wrong == nil && more >= 0 && ago >= 0
}
