package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// maxShown is how large a file may be to be shown as text, in bytes.
const maxShown = 256 << 10

// showReviews renders what there is to decide on. Whatever a repository has
// chosen is spelled so that a terminal does nothing with it.
func (env *Env) showReviews(hooks string, reviews []*review) string {
	var b strings.Builder
	fmt.Fprintf(&b, "hooks in %s\n", printable(hooks))
	for _, r := range reviews {
		if r.refused != "" {
			fmt.Fprintf(&b, "\nhook %s: %s: %s\n", env.paint(env.Stdout, bold, printable(r.name)), env.paint(env.Stdout, red, "refused, and not trusted"), printable(r.refused))
			continue
		}
		fmt.Fprintf(&b, "\nhook %s: %s\n", env.paint(env.Stdout, bold, printable(r.name)), r.news)
		r.summary(&b)
		if r.news != unchanged {
			env.showFiles(&b, r)
		}
	}
	return b.String()
}

// summary tells when a hook runs, and of what it consists.
func (r *review) summary(b *strings.Builder) {
	h := r.hook
	row := listRow{Tool: h.Tool, Pattern: h.Pattern}
	mode := "sync"
	if h.Async {
		mode = "async"
	}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  description\t%s\n", printable(h.Description))
	fmt.Fprintf(w, "  trigger\t%s\n", h.Trigger)
	fmt.Fprintf(w, "  matcher\t%s\n", printable(matcherText(row)))
	fmt.Fprintf(w, "  timeout\t%d ms, %s, priority %d, on-failure: %s\n", h.Timeout.Milliseconds(), mode, h.Priority, h.OnFailure)
	fmt.Fprintf(w, "  entry point\t%s\n", printable(r.entry))
	if r.replaces {
		fmt.Fprintf(w, "  replaces\tyour own hook of this name, which then does not run here\n")
	}
	for i, f := range r.folder.Files {
		label := ""
		if i == 0 {
			label = "files"
		}
		fmt.Fprintf(w, "  %s\t%s, %s\n", label, printable(f.Path), describe(f))
	}
	_ = w.Flush()
}

func describe(f trust.File) string {
	switch {
	case f.Link != "":
		return "a link to " + printable(f.Link)
	case f.Executable:
		return plural(len(f.Data), "byte") + ", executable"
	}
	return plural(len(f.Data), "byte")
}

// showFiles shows the text of a new hook, and the changes of one that was
// trusted before.
func (env *Env) showFiles(b *strings.Builder, r *review) {
	before := cmp.Or(r.before, &trust.Folder{})
	for _, f := range r.folder.Files {
		old, was := before.Find(f.Path)
		switch {
		case !was && r.news == fresh:
			env.showFile(b, f)
		case !was:
			env.showChange(b, "added "+f.Path, trust.File{}, f)
		case !old.Same(f):
			env.showChange(b, "changed "+f.Path, old, f)
		}
	}
	for _, f := range before.Files {
		if _, is := r.folder.Find(f.Path); !is {
			env.showChange(b, "removed "+f.Path, f, trust.File{})
		}
	}
}

func (env *Env) showFile(b *strings.Builder, f trust.File) {
	if f.Link != "" {
		return // the summary says it all
	}
	fmt.Fprintf(b, "  %s\n", env.paint(env.Stdout, faint, printable(f.Path)+":"))
	if !isText(f) {
		fmt.Fprintf(b, "    not shown: %s\n", fingerprint(f))
		return
	}
	for line := range strings.Lines(string(f.Data)) {
		fmt.Fprintf(b, "    %s\n", printable(strings.TrimSuffix(line, "\n")))
	}
}

func (env *Env) showChange(b *strings.Builder, title string, old, new trust.File) {
	fmt.Fprintf(b, "  %s\n", env.paint(env.Stdout, faint, printable(title)+":"))
	if old.Link != new.Link || old.Executable != new.Executable {
		fmt.Fprintf(b, "    was %s\n    is %s\n", describe(old), describe(new))
	}
	if !isText(old) || !isText(new) {
		fmt.Fprintf(b, "    not shown: was %s\n    not shown: is %s\n", fingerprint(old), fingerprint(new))
		return
	}
	for _, line := range trust.Diff(string(old.Data), string(new.Data)) {
		style := map[byte]string{'+': green, '-': red, '@': faint}[line[0]]
		text := printable(line)
		if style != "" {
			text = env.paint(env.Stdout, style, text)
		}
		fmt.Fprintf(b, "    %s\n", text)
	}
}

func isText(f trust.File) bool {
	return len(f.Data) <= maxShown && bytes.IndexByte(f.Data, 0) < 0 && utf8.Valid(f.Data)
}

func fingerprint(f trust.File) string {
	return fmt.Sprintf("%s, sha256 %x", plural(len(f.Data), "byte"), sha256.Sum256(f.Data))
}
