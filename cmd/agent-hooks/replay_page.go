package main

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// pageHead forbids everything but the style below, so that the page loads and runs nothing.
const pageHead = `<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>What the hooks would have done</title>
<style>
:root { color-scheme: light dark; --line: #8884; --bad: #b3261e; --ask: #8a5a00; --good: #1b6e3c; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --ask: #ffd180; --good: #8fd6a8; } }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p, li { overflow-wrap: anywhere; } small { opacity: .75; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: right; padding: .3rem .5rem; border-bottom: 1px solid var(--line); } th:first-child, td:first-child { text-align: left; }
ol { list-style: none; padding: 0; margin: 0; } li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
code { font: .9rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; display: block; }
.denied, .failed { color: var(--bad); } .asked, .changed { color: var(--ask); } .allowed, .no { color: var(--good); } b { font-weight: 600; } time { white-space: nowrap; }
</style>
</head>
<body>
`

// html escapes a text from a transcript or a hook for HTML. What a reader cannot see is made visible.
func html(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(term.Cell(text))
}

// pastPage returns the report as a page, without its first lines. save is the command that makes a test
// case of a call.
func (env *Env) pastPage(s *past.Summary, save string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	b.WriteString(pageHead)
	line("<h1>What the hooks would have done</h1>")
	line("<p>%s</p>", html(pastTotals(s)))
	if problems := pastProblems(s); len(problems) > 0 {
		line("<p><small>%s</small></p>", html(strings.Join(problems, "; ")))
	}
	if c := s.Compare; c != nil {
		line("<h2>%s</h2>", html(compareText(c)))
		env.pageGroups(line, c.Newly, c.Others)
	}
	if len(s.Hooks) > 0 {
		titles, rows, idle := pastTable(s)
		line(`<div class="wide"><table>`)
		line("<tr><th>%s</th></tr>", strings.ToLower(strings.Join(titles, "</th><th>")))
		for _, cells := range rows {
			line("<tr><td>%s</td><td>%s</td></tr>", html(cells[0]), strings.Join(cells[1:], "</td><td>"))
		}
		line("</table></div>")
		if idle != "" {
			line("<p>%s</p>", html(idle))
		}
	}
	for _, h := range s.Hooks {
		if len(h.Groups) > 0 {
			line("<h2>%s</h2>", html(pastName(h)))
			env.pageGroups(line, h.Groups, h.Others)
		}
	}
	if len(s.NotRun) > 0 {
		line("<h2>Not run</h2><ol>")
		for _, n := range s.NotRun {
			line("<li>%s</li>", html(env.homely(notRunText(n))))
		}
		line("</ol>")
	}
	if save != "" {
		line("<p><small>A test case of a call, by its ID:</small><code>%s</code></p>", html(save))
	}
	line("<p><small>Links, globs and files are those of the day of this report; each hook ran alone on each call.</small></p>")
	line("</body>\n</html>")
	return b.String()
}

func (env *Env) pageGroups(line func(string, ...any), groups []*past.Group, others int) {
	line("<ol>")
	for _, l := range groups {
		reason := ""
		if l.Reason != "" {
			reason = "<small>" + html(l.Reason) + "</small>"
		}
		line(`<li><b class="%s">%s</b> %s ×, last on <time>%s</time> <small>%s in %s, %s</small><code>%s</code>%s</li>`,
			html(strings.Fields(l.Effect)[0]), html(effectText(l)), grouped(l.Count), day(l.Last), html(l.Tool), html(env.homely(l.Dir)), l.Call, html(l.Text), reason)
	}
	line("</ol>")
	if others > 0 {
		line("<p>and %s in further lines</p>", thousands(others, "call"))
	}
}
