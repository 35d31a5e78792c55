package main

import (
	"testing"
	"time"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.FixedZone("here", 3600))
	for word, want := range map[string]string{
		"2h":                   "2026-11-21T10:00:00+01:00",
		"90m":                  "2026-11-21T10:30:00+01:00",
		"3d":                   "2026-11-18T12:00:00+01:00",
		"1d12h":                "2026-11-20T00:00:00+01:00",
		"0s":                   "2026-11-21T12:00:00+01:00",
		"2026-11-20":           "2026-11-20T00:00:00+01:00",
		"2026-11-20T15:04":     "2026-11-20T15:04:00+01:00",
		"2026-11-20 15:04:05":  "2026-11-20T15:04:05+01:00",
		"2026-11-20T15:04:05Z": "2026-11-20T15:04:05Z",
		"-2h":                  "", "-1d": "", "1d-2h": "", "d": "", "99999999999d": "", "yesterday": "", "2026-13-01": "", "1.5d": "",
	} {
		got, ok := parseSince(word, now)
		if want == "" {
			if ok {
				t.Errorf("%q: got %v, want an error", word, got)
			}
			continue
		}
		if !ok || got.Format(time.RFC3339) != want {
			t.Errorf("%q: got %v, %t; want %s", word, got.Format(time.RFC3339), ok, want)
		}
	}
}

func TestParseUntil(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.FixedZone("here", 3600))
	for word, want := range map[string]string{
		"2h": "2026-11-21T14:00:00+01:00", "2d": "2026-11-23T12:00:00+01:00", "17:00": "2026-11-21T17:00:00+01:00", "09:30": "2026-11-22T09:30:00+01:00",
		"12:00": "2026-11-22T12:00:00+01:00", "2026-12-01": "2026-12-01T00:00:00+01:00", "2026-12-01T09:00": "2026-12-01T09:00:00+01:00", "soon": "", "-2h": "", "": "",
	} {
		got, ok := parseUntil(word, now)
		if ok != (want != "") || ok && got.Format(time.RFC3339) != want {
			t.Errorf("%q: got %v, %t; want %s", word, got.Format(time.RFC3339), ok, want)
		}
	}
}
