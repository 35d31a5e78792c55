package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// recordContent records what a command writes into the targets of its redirections
// and those of tee and dd, if that is only echo, printf or a literal input of cat, tee
// or dd. A compound command writes what those in it print.
func (r *Reader) recordContent(redirs []*syntax.Redirect, c Command, input []word, inner ...Command) {
	text, ok := r.prints(&c)
	var targets []string
	if n := len(input); n > 0 && len(c.Words) > 0 && !input[n-1].unknown &&
		(c.Words[0] == "tee" || c.Words[0] == "dd" || c.Words[0] == "cat" && len(c.Words) == 1) {
		text, ok = input[n-1].text, true
		for _, w := range c.Words[1:] {
			targets = append(targets, strings.TrimPrefix(w, "of="))
		}
	}
	for i := range inner {
		var part string
		part, ok = r.prints(&inner[i])
		if !ok || len(inner[i].Redirects) > 0 {
			ok = false
			break
		}
		text += part
	}
	for i, redirect := range c.Redirects {
		if !strings.Contains(redirect.Op, ">") || redirs[i].N != nil && redirs[i].N.Value != "1" {
			continue
		}
		if redirect.Op == ">>" {
			text = r.contents[path.Clean(redirect.Target)] + text
		}
		targets = append(targets, redirect.Target)
	}
	for _, target := range targets {
		r.setContent(target, text, ok)
	}
}

// setContent records the content of a file, if it is known.
func (r *Reader) setContent(file, text string, known bool) {
	if r.contents == nil {
		r.contents = map[string]string{}
	}
	name := path.Clean(file)
	delete(r.contents, name)
	if known && text != "" && len(r.contents) < maxVars {
		r.contents[name] = text
	}
}

// moveContent records the content and the programs that files have after mv, cp and ln.
func (r *Reader) moveContent(args []word) {
	if len(args) < 2 {
		return
	}
	target := args[len(args)-1].text
	for _, a := range args[:len(args)-1] {
		name := a.finds()
		if name == "" && strings.HasSuffix(path.Dir(a.text), "bin") {
			name = path.Base(a.text)
		}
		if name != "" && len(r.copies) < maxVars {
			if r.copies == nil {
				r.copies = map[string]string{}
			}
			r.copies[path.Clean(target)], r.copies[path.Join(target, name)] = name, name
		}
		if text, ok := r.contents[path.Clean(a.text)]; ok {
			r.setContent(target, text, true)
			r.setContent(path.Join(target, path.Base(a.text)), text, true)
		}
	}
}

// runContent calls read for the content of a file that a shell runs, if the text
// wrote it. An unknown name is that of the file with the same name as written. The file may run others, but not itself.
func (r *Reader) runContent(file word, read func(text word)) {
	name := path.Clean(file.text)
	text, ok := r.contents[name]
	if !ok || slices.Contains(r.running, name) {
		return
	}
	r.running = append(r.running, name)
	read(word{text: text})
	r.running = r.running[:len(r.running)-1]
}
