package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// showReview formats one hook for review: when it runs, its files, and the text of a new hook or the
// changes of one that was trusted before. All text from the repository is escaped, so that terminals do
// not interpret it.
func (env *Env) showReview(r *trust.Candidate) string {
	var b strings.Builder
	head := "hook " + env.style(term.Bold, term.Printable(r.Name)) + ": "
	if r.Name == trust.ConfigName {
		head = "the project's " + env.style(term.Bold, r.Name) + ": "
	}
	if r.Refused != "" {
		return "\n" + env.paragraph(env.Stdout, 2, head+env.style(term.Red, "refused, and not trusted")+": "+term.Printable(r.Refused))
	}
	head += string(r.News)
	if r.Detail != "" {
		head += ": " + term.Printable(r.Detail)
	}
	b.WriteString("\n" + env.paragraph(env.Stdout, 2, head))
	if r.Hook != nil {
		b.WriteString(env.reviewed(r))
	} else if r.Others != "" {
		b.WriteString(env.paragraph(env.Stdout, 2, "  "+env.style(term.Yellow, term.Printable(r.Others)+"; somebody else may have written this")))
	}
	if r.News == trust.Unchanged {
		return b.String()
	}
	before := cmp.Or(r.Before, &trust.Folder{})
	for _, f := range r.Folder.Files {
		old, was := before.Find(f.Path)
		switch {
		case !was && r.Before == nil:
			env.showFile(&b, f)
		case !was:
			env.showChange(&b, "added "+f.Path, trust.File{}, f)
		case !old.Same(f):
			env.showChange(&b, "changed "+f.Path, old, f)
		}
	}
	for _, f := range before.Files {
		if _, is := r.Folder.Find(f.Path); !is {
			env.showChange(&b, "removed "+f.Path, f, trust.File{})
		}
	}
	return b.String()
}

// reviewed describes when a hook runs, and its files.
func (env *Env) reviewed(r *trust.Candidate) string {
	h := r.Hook
	t := term.Table{Style: func(_, column int) string { return []string{term.Faint, ""}[column] }}
	add := func(label, text string) { t.Rows = append(t.Rows, []string{"  " + label, text}) }
	add("description", term.Printable(h.Description))
	add("trigger", string(h.Trigger))
	add("matcher", term.Printable(matcherText(h.Tool, h.Pattern, string(h.Match), h.Passes())))
	if a := h.Answer; a != nil {
		policy := fmt.Sprintf("on-failure: %s, ", h.OnFailure)
		if a.Restricts() && h.OnFailure == manifest.Allow {
			policy = "" // a constant deny or ask holds all the same
		}
		add("answer", term.Printable(strings.Trim(fmt.Sprintf("%s: %s", cmp.Or(string(a.Decision), "context"), cmp.Or(a.Reason, a.AdditionalContext, a.SystemMessage, h.Description)), ": ")+
			fmt.Sprintf("; priority %d, %sno script", h.Priority, policy)))
	} else {
		mode := map[bool]string{true: "async", false: "sync"}[h.Async]
		add("timeout", fmt.Sprintf("%d ms, %s, priority %d, on-failure: %s", h.Timeout.Milliseconds(), mode, h.Priority, h.OnFailure))
		add("entry point", term.Printable(r.Entry))
	}
	if r.Others != "" {
		add("others", env.style(term.Yellow, term.Printable(r.Others)+"; "+othersMayWrite))
	}
	if r.Replaces {
		add("replaces", env.style(term.Yellow, "your own hook of this name, which then does not run here"))
	}
	for i, f := range r.Folder.Files {
		add([]string{"files", ""}[min(i, 1)], term.Printable(f.Path)+", "+describe(f))
	}
	return t.Text(env.width(env.Stdout), env.style)
}

const othersMayWrite = "somebody else may have written this. What you review is what runs; files that it uses outside its folder can still be changed"

func describe(f trust.File) string {
	switch {
	case f.Link != "":
		return "a link to " + term.Printable(f.Link)
	case f.Executable:
		return term.Plural(len(f.Data), "byte") + ", executable"
	}
	return term.Plural(len(f.Data), "byte")
}

func (env *Env) showFile(b *strings.Builder, f trust.File) {
	if f.Link != "" {
		return // the summary is complete
	}
	fmt.Fprintf(b, "  %s\n", env.style(term.Faint, term.Printable(f.Path)+":"))
	if !f.IsText() {
		fmt.Fprintf(b, "    not shown: %s\n", f.Fingerprint())
		return
	}
	for line := range strings.Lines(string(f.Data)) {
		env.verbatim(b, "", term.Printable(strings.TrimSuffix(line, "\n")))
	}
	if n := len(f.Data); n > 0 && f.Data[n-1] != '\n' {
		env.verbatim(b, term.Faint, trust.NoNewline)
	}
}

func (env *Env) showChange(b *strings.Builder, title string, old, new trust.File) {
	fmt.Fprintf(b, "  %s\n", env.style(term.Faint, term.Printable(title)+":"))
	if old.Link != new.Link || old.Executable != new.Executable {
		fmt.Fprintf(b, "    was %s\n    is %s\n", describe(old), describe(new))
	}
	if !old.IsText() {
		fmt.Fprintf(b, "    not shown: was %s\n", old.Fingerprint())
		old.Data = nil
	}
	if !new.IsText() {
		fmt.Fprintf(b, "    not shown: is %s\n", new.Fingerprint())
		return
	}
	for _, line := range trust.Diff(string(old.Data), string(new.Data)) {
		env.verbatim(b, diffStyle(line), term.Printable(line))
	}
}

// verbatim shows a complete line of a file or of a change. A wrapped line is marked in the
// margin, which never contains text of the file.
func (env *Env) verbatim(b *strings.Builder, style, line string) {
	margin, room := "    ", env.width(env.Stdout)-4
	for at := 0; ; margin = "  … " {
		at = len(line)
		if room >= 10 {
			line = term.ExpandTabs(line, 0)
			at = term.Fitting(line, room)
		}
		b.WriteString(margin + env.style(style, line[:at]) + "\n")
		line = line[at:]
		if line == "" {
			return
		}
	}
}

// page prints a review, before a prompt one screen at a time, so that nothing scrolls away. It
// reports whether the whole text was shown.
func (env *Env) page(text string, prompt bool) (whole bool, err error) {
	screen := term.RowsOf(env.Stdout) - 2 // the prompt, and the last line of the page before
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	for prompt && screen > 0 && len(lines) > screen {
		if err := env.print(strings.Join(lines[:screen], "")); err != nil {
			return false, err
		}
		lines = lines[screen:]
		fmt.Fprintf(env.Stdout, "-- %s left: Enter shows more, q declines this hook -- ", term.Plural(len(lines), "line"))
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(env.answerLine())), "q") {
			return false, nil
		}
	}
	return true, env.print(strings.Join(lines, "") + "\n")
}
