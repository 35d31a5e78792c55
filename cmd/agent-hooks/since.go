package main

import (
	"errors"
	"flag"
	"strconv"
	"strings"
	"time"
)

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
