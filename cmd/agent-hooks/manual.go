package main

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/spec"
)

// manualName is the command that prints the manual page, which releases contain.
const manualName = "manual-page"

type manualFlags struct{ noFlags }

// execute prints the texts of help as a manual page, in the macros of man(7).
func (manualFlags) execute(env *Env, _ []string) (int, error) {
	var page strings.Builder
	page.WriteString(".TH AGENT\\-HOOKS 1\n.SH NAME\nagent\\-hooks \\- run hooks for any coding agent\n")
	page.WriteString(".SH SYNOPSIS\n.B agent\\-hooks\n.I COMMAND\n[\\,\\fIARGUMENTS\\fR\\/]\n")
	page.WriteString(".SH DESCRIPTION\n" + roff(overviewAbout) + ".SH COMMANDS\n")
	for _, c := range commands() {
		if c.group == "" {
			continue
		}
		fmt.Fprintf(&page, ".SS %s", roff(strings.TrimSpace("agent-hooks "+c.name+" "+c.args)))
		page.WriteString(roff(c.summary))
		for line := range strings.Lines(c.aboutText()) {
			page.WriteString(".PP\n" + roff(strings.TrimSuffix(line, "\n")))
		}
		writeOptions(c.columns, &page)
		writeOptions(optionRows(c.flags(env, c.action())), &page)
	}
	page.WriteString(".SH OPTIONS OF ALL COMMANDS\n")
	writeOptions(env.sharedOptions(), &page)
	return spec.ExitContinue, env.print(page.String())
}

func writeOptions(rows [][]string, page *strings.Builder) {
	for _, row := range rows {
		page.WriteString(".TP\n.B " + roff(strings.TrimSpace(row[0])) + roff(row[1]))
	}
}

// aboutText returns the paragraphs below a command's summary.
func (c command) aboutText() string {
	return strings.ReplaceAll(c.about, "{agents}", strings.Join(install.Names(), ", "))
}

// roff returns text as one line of a manual page, with nothing that is a request or an escape.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text + "\n"
}
