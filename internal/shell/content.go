package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// recordContent records what a command writes into the targets of its redirections,
// if that is only echo, printf or a here-document of cat or tee, and literal.
func (r *Reader) recordContent(c *syntax.CallExpr, redirs []*syntax.Redirect, redirects []Redirect, input []word, line int) {
	text, ok := r.output(&syntax.Stmt{Cmd: c}, line-1)
	words := r.Commands[line-1].Words
	var targets []string
	if len(words) > 0 && (words[0] == "tee" || words[0] == "cat" && len(words) == 1) && len(input) == 1 && !input[0].unknown {
		text, ok, targets = input[0].text, true, words[1:]
	}
	for i, redirect := range redirects {
		if !strings.HasPrefix(redirect.Op, ">") || redirect.Unknown || redirs[i].N != nil && redirs[i].N.Value != "1" {
			continue
		}
		if redirect.Op == ">>" {
			text = r.contents[path.Clean(redirect.Target)] + text
		}
		targets = append(targets, redirect.Target)
	}
	for _, target := range targets {
		if r.contents == nil {
			r.contents = map[string]string{}
		}
		if delete(r.contents, path.Clean(target)); ok && text != "" && len(r.contents) < maxVars {
			r.contents[path.Clean(target)] = text
		}
	}
}

// runContent calls read for the content of a file that a shell runs, if the text
// wrote it. The file may run others, but not itself.
func (r *Reader) runContent(file word, read func(text word)) {
	name := path.Clean(file.text)
	text, ok := r.contents[name]
	if !ok || file.unknown || slices.Contains(r.running, name) {
		return
	}
	r.running = append(r.running, name)
	read(word{text: text})
	r.running = r.running[:len(r.running)-1]
}
