package pack

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// Source is where a pack comes from.
type Source struct {
	// Text is the URL, or the absolute path of a folder.
	Text string
	Git  bool // a git repository, otherwise a folder
}

// Local reports whether the source is on this machine.
func (s Source) Local() bool { return !s.Git || strings.HasPrefix(s.Text, "file:") }

// Bare returns the source of a bare repository for a folder that is one, and any other source as it is.
func (s Source) Bare() Source {
	isThere := func(name string, folder bool) bool {
		info, err := os.Stat(filepath.Join(s.Text, name))
		return err == nil && info.IsDir() == folder
	}
	if s.Git || !isThere("HEAD", false) || !isThere("objects", true) || !isThere("refs", true) {
		return s
	}
	return Source{Text: "file:///" + strings.TrimPrefix(filepath.ToSlash(s.Text), "/"), Git: true}
}

// ParseSource parses a SOURCE: a URL (https, ssh or file), the form HOST:PATH of ssh, or a folder,
// whose path may be relative to dir. As in git, text with a colon before the first slash is
// HOST:PATH.
func ParseSource(text, dir string) (Source, error) {
	if err := checkText("the source", text); err != nil {
		return Source{}, err
	}
	if scheme, rest, isURL := strings.Cut(text, "://"); isURL && !strings.ContainsAny(scheme, "/\\:") {
		return gitURL(text, scheme, rest)
	}
	host, path, colon := strings.Cut(text, ":")
	switch {
	case filepath.VolumeName(text) != "" || !colon || strings.ContainsAny(host, `/\`):
		if filepath.IsAbs(text) {
			return Source{Text: filepath.Clean(text)}, nil
		}
		return Source{Text: filepath.Join(dir, text)}, nil
	case strings.HasPrefix(path, ":"):
		return Source{}, fmt.Errorf("the source %q uses a helper program of git; only https, ssh and file are allowed", text)
	}
	if err := checkHost(host); err != nil {
		return Source{}, err
	}
	if path == "" || strings.HasPrefix(path, "-") {
		return Source{}, fmt.Errorf("the source %q has no usable path after the host", text)
	}
	return Source{Text: text, Git: true}, nil
}

func gitURL(text, scheme, rest string) (Source, error) {
	if scheme != "https" && scheme != "ssh" && scheme != "file" {
		return Source{}, fmt.Errorf("the source %q uses %s; only https, ssh and file are allowed", text, scheme)
	}
	host, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndex(host, "@")
	switch {
	case scheme == "file" && host != "":
		return Source{}, fmt.Errorf("the source %q names a host; write file:///PATH", text)
	case scheme == "file":
	case strings.ContainsAny(rest, `?#\`):
		return Source{}, fmt.Errorf("the source %q has a query, a fragment or a backslash; --ref selects a branch, a tag or a commit", text)
	case at >= 0 && (scheme == "https" || strings.Contains(host[:at], ":")):
		return Source{}, errors.New("the source contains a user or a password, which hooks.lock would contain; git's credential helper can provide it (git help credentials)")
	default:
		if err := checkHost(host); err != nil {
			return Source{}, err
		}
	}
	return Source{Text: text, Git: true}, nil
}

// checkHost rejects what ssh would read as an option.
func checkHost(host string) error {
	user, name, _ := strings.Cut(host, "@")
	if name == "" {
		name = user
	}
	if name == "" || strings.HasPrefix(user, "-") || strings.HasPrefix(name, "-") || strings.ContainsAny(name, "@%") || strings.Contains(user, "%") {
		return fmt.Errorf("%q is not a host", host)
	}
	return nil
}

// checkText rejects text that could be an option, or that terminals do not show as it is.
func checkText(what, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%s is empty", what)
	case strings.HasPrefix(text, "-"):
		return fmt.Errorf("%s %q begins with a dash", what, text)
	case !plain(text):
		return fmt.Errorf("%s %q contains invisible characters", what, text)
	}
	return nil
}

// plain reports whether text is UTF-8 without control characters, and without characters that are
// invisible or change the direction of text.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && (unicode.IsSpace(r) || shown.Hidden(r)) })
}

// checkRef rejects what is not the name of a branch or a tag, or a commit, by git's rules.
func checkRef(ref string) error {
	if ref == "" {
		return nil
	}
	if err := checkText("the ref", ref); err != nil {
		return err
	}
	wrong := strings.ContainsAny(ref, " ~^:?*[\\") || strings.Contains(ref, "..") || strings.Contains(ref, "@{") || ref == "@"
	for part := range strings.SplitSeq(ref, "/") {
		wrong = wrong || part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") || strings.HasSuffix(part, ".")
	}
	if wrong {
		return fmt.Errorf("%q is not the name of a branch or a tag, or a commit", ref)
	}
	return nil
}

// isCommit reports whether ref is a complete identifier of a commit.
func isCommit(ref string) bool {
	return (len(ref) == 40 || len(ref) == 64) && strings.Trim(ref, "0123456789abcdef") == ""
}
