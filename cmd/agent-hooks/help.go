package main

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type helpFlags struct{ noFlags }

func (helpFlags) execute(env *Env, args []string) (int, error) {
	if len(args) == 0 {
		env.overview()
		return spec.ExitContinue, nil
	}
	cmd, err := findCommand(args[0])
	if err != nil {
		return 0, err
	}
	return env.help(cmd), nil
}

const overviewAbout = "agent-hooks runs hooks (folders with a HOOK.md and a script) for any coding agent."

func (env *Env) overview() {
	env.out(0, overviewAbout)
	env.print("\nUsage: agent-hooks COMMAND [ARGUMENTS]\n\n")
	var rows [][]string
	var plumbing []string
	last := group("")
	for _, c := range commands() {
		switch c.group {
		case "":
			continue
		case plumbingGroup:
			plumbing = append(plumbing, c.name)
			continue
		}
		if c.group != last {
			rows = append(rows, []string{""}, []string{string(c.group) + ":"})
			last = c.group
		}
		rows = append(rows, []string{"  " + c.name, c.summary})
	}
	env.printTerms(rows[1:])
	env.print("\nOptions of all commands:\n")
	env.printTerms(env.sharedOptions())
	env.print("\n")
	env.out(2, string(plumbingGroup)+": "+strings.Join(plumbing, ", ")+". \"agent-hooks help COMMAND\" has the details.")
}

// printTerms prints words with their meanings next to them.
func (env *Env) printTerms(rows [][]string) error {
	return env.printTable(term.Table{Rows: rows, Style: firstBold})
}

func (env *Env) help(c command) int {
	options, line := optionRows(c.flags(env, c.action())), "agent-hooks "+c.name
	if options != nil {
		line += " [OPTIONS]"
	}
	if c.args != "" {
		line += " " + c.args
	}
	env.out(4, "Usage: "+line)
	env.print("\n" + env.paragraph(env.Stdout, 0, c.summary))
	for line := range strings.Lines(c.aboutText()) {
		fmt.Fprint(env.Stdout, "\n"+env.paragraph(env.Stdout, 0, strings.TrimSuffix(line, "\n")))
	}
	if len(c.columns) > 0 {
		env.print("\nColumns:\n")
		env.printTerms(c.columns)
	}
	if options != nil {
		env.print("\nOptions:\n")
		env.printTerms(options)
	}
	return spec.ExitContinue
}

// sharedOptions returns the options of all commands.
func (env *Env) sharedOptions() [][]string {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	env.declareDirectories(fs)
	return optionRows(fs)
}

// optionRows returns the options with their meanings.
func optionRows(fs *flag.FlagSet) (rows [][]string) {
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		rows = append(rows, []string{strings.TrimSuffix("  --"+f.Name+" "+value, " "), usage})
	})
	return rows
}

type eventsFlags struct{ jsonFlag }

func (flags eventsFlags) execute(env *Env, _ []string) (int, error) {
	if flags.json {
		return spec.ExitContinue, env.printJSON(spec.Events())
	}
	var rows [][]string
	for _, e := range spec.Events() {
		when := e.When
		if e.Extension {
			when += " (extension)"
		}
		rows = append(rows, []string{string(e.Event), when, e.Block})
	}
	return spec.ExitContinue, env.printTable(term.Table{
		Titles: []string{"EVENT", "FIRES", "A BLOCK MEANS"}, Rows: rows, Style: firstBold, LastWidth: 32,
	})
}

// toolNames is the argument of spec for the names of tools, as data.
const toolNames = "tools"

type specFlags struct{ json bool }

func (f *specFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print the format's tables (events, fields, diagnostics) as JSON")
}

func (flags specFlags) execute(env *Env, args []string) (int, error) {
	switch {
	case len(args) == 1:
		if text, ok := spec.Document(args[0]); ok {
			return spec.ExitContinue, env.print(text)
		}
		if args[0] == toolNames {
			return spec.ExitContinue, env.print(spec.ToolNamesJSON())
		}
		schema, ok := spec.Schema(args[0])
		if !ok {
			return 0, usagef("the documents are "+strings.Join(spec.DocumentNames(), ", ")+"; the schemas "+strings.Join(spec.SchemaNames(), ", ")+"; the data "+toolNames,
				"spec: unknown document or schema %q", args[0])
		}
		return spec.ExitContinue, env.print(string(schema))
	case flags.json:
		return spec.ExitContinue, env.printJSON(map[string]any{"events": spec.Events(), "fields": spec.Fields(), "diagnostics": spec.Codes()})
	}
	text, _ := spec.Document("spec")
	return spec.ExitContinue, env.print(text)
}

type versionFlags struct{ jsonFlag }

type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the commit
	Date     string `json:"date,omitempty"`     // of the commit, in RFC 3339
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (flags versionFlags) execute(env *Env, _ []string) (int, error) {
	info := buildVersion()
	if flags.json {
		return spec.ExitContinue, env.printJSON(info)
	}
	line := "agent-hooks " + info.Version
	day, _, _ := strings.Cut(info.Date, "T")
	if commit := strings.TrimSpace(info.Revision + " " + day); commit != "" {
		line += " (" + commit + ")"
	}
	_, err := fmt.Fprintf(env.Stdout, "%s %s %s\n", line, info.Go, info.Platform)
	return spec.ExitContinue, err
}

// buildVersion returns the build information in the binary.
func buildVersion() versionInfo {
	v := versionInfo{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value[:min(12, len(s.Value))]
		case "vcs.time":
			v.Date = s.Value
		}
	}
	return v
}

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
