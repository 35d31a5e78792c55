package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// maxShown is how large a file may be to be shown as text, in bytes.
const maxShown = 256 << 10

// showReviews renders what there is to decide on. Whatever a repository has
// chosen is spelled so that a terminal does nothing with it.
func (env *Env) showReviews(hooks string, reviews []*review) string {
	var b strings.Builder
	b.WriteString(env.paragraph(env.Stdout, 2, "hooks in "+printable(hooks)))
	for _, r := range reviews {
		head := "hook " + env.paint(env.Stdout, bold, printable(r.name)) + ": "
		if r.refused != "" {
			b.WriteString("\n" + env.paragraph(env.Stdout, 2, head+env.paint(env.Stdout, red, "refused, and not trusted")+": "+printable(r.refused)))
			continue
		}
		b.WriteString("\n" + env.paragraph(env.Stdout, 2, head+string(r.news)))
		env.summary(&b, r)
		if r.news != unchanged {
			env.showFiles(&b, r)
		}
	}
	return b.String()
}

// summary tells when a hook runs, and of what it consists.
func (env *Env) summary(b *strings.Builder, r *review) {
	h := r.hook
	row := listRow{Tool: h.Tool, Pattern: h.Pattern}
	mode := "sync"
	if h.Async {
		mode = "async"
	}
	table := columns{widths: []int{len("  description")}, most: env.width(env.Stdout)}
	add := func(label, style, text string) {
		b.WriteString(table.wrapped([]string{strings.TrimRight("  "+label, " "), text}, func(column int, cell string) string {
			return env.paint(env.Stdout, []string{faint, style}[column], cell)
		}))
	}
	add("description", "", printable(h.Description))
	add("trigger", "", string(h.Trigger))
	add("matcher", "", printable(matcherText(row)))
	add("timeout", "", fmt.Sprintf("%d ms, %s, priority %d, on-failure: %s", h.Timeout.Milliseconds(), mode, h.Priority, h.OnFailure))
	add("entry point", "", printable(r.entry))
	if r.replaces {
		add("replaces", yellow, "your own hook of this name, which then does not run here")
	}
	for i, f := range r.folder.Files {
		add([]string{"files", ""}[min(i, 1)], "", printable(f.Path)+", "+describe(f))
	}
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
		env.verbatim(b, "", printable(strings.TrimSuffix(line, "\n")))
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
		env.verbatim(b, style, printable(line))
	}
}

// verbatim shows a line of a file, or of a change, whole. Where it goes on
// below, the margin says so, where nothing of the file stands.
func (env *Env) verbatim(b *strings.Builder, style, line string) {
	margin, room := "    ", env.width(env.Stdout)-4
	for at := 0; ; margin = "  … " {
		if at = len(line); room >= 10 {
			line = expandTabs(line, 0)
			at = fitting(line, room)
		}
		b.WriteString(margin + env.paint(env.Stdout, style, line[:at]) + "\n")
		if line = line[at:]; line == "" {
			return
		}
	}
}

func isText(f trust.File) bool {
	return len(f.Data) <= maxShown && bytes.IndexByte(f.Data, 0) < 0 && utf8.Valid(f.Data)
}

func fingerprint(f trust.File) string {
	return fmt.Sprintf("%s, sha256 %x", plural(len(f.Data), "byte"), sha256.Sum256(f.Data))
}
