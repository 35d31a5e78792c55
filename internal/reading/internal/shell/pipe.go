package shell

import (
	"cmp"
	"slices"
	"strings"
)

// Limits above which the pipelines of a text are undecided.
const (
	maxPipelines  = 1000    // that begin with one command
	maxPiped      = 1 << 20 // bytes of all pipelines
	maxPipedSteps = 200_000
)

// group is a part of a text whose commands have the same input and output. The
// zero group is the text itself.
type group struct {
	kind   kind
	parent int // index in Reader.groups, from 1; 0 for the text itself
	host   int // the line of the command that the group is in, or whose redirections it has; 0 if none
	name   string

	number, stage int // the number of the pipeline, and the position in it
	last          bool
}

// kind is what a group is, and where data that is not in a pipe goes.
type kind uint8

const (
	stageOf    kind = iota + 1
	redirected      // a command with redirections
	operands        // $(...): its output becomes words
	input           // the same in a redirection, and <(...) there: its output is read
	process         // <(...) in a word
	output          // >(...)
	function        // the body
	assigned        // its output becomes the value of a variable
	file
	coprocess // from coproc; number 1 is to it
)

// newGroup returns the index of a new group.
func (r *Reader) newGroup(g group) int {
	r.groups = append(r.groups, g)
	return len(r.groups)
}

// substitution returns the site of the commands of $(...), <(...) or >(...).
func (r *Reader) substitution(at site, k kind) site {
	if at.redirects && k != output {
		k = input
	}
	at.group = r.newGroup(group{kind: k, parent: at.group, host: at.host})
	at.redirects = false
	return at
}

// channel is a way that data can take from some commands to others.
type channel struct {
	kind          kind
	number, stage int    // of a pipe: of the pipeline, and of the stage that writes it
	line          int    // the command that reads or writes it
	name          string // of a file or a variable
}

// Pipelines returns the pipelines (D93): each way that data may take through the
// commands of r.Invocations and r.Handed, from any command on. A program that runs
// what it reads is also listed as sh, or by the name of its interpreter, at the end
// of a pipeline. The error is a *Note.
func (r *Reader) Pipelines() ([][]Invocation, error) {
	lines := r.Invocations()
	var inner []*Reader
	err := r.eachHanded(func(guess *Reader, line int) {
		for _, l := range guess.Invocations() {
			l.Command = line - 1
			lines = append(lines, l)
		}
		if len(guess.Commands) > 1 {
			inner = append(inner, guess)
		}
	})
	p := plumbing{r: r, lines: lines}
	all, wrong := p.within()
	err = cmp.Or(err, wrong)
	steps := p.steps
	for _, guess := range inner {
		p := plumbing{r: guess, lines: guess.Invocations(), steps: steps}
		more, wrong := p.within()
		all, err = append(all, more...), cmp.Or(err, wrong)
		steps = p.steps
	}
	return all, err
}

// plumbing connects commands by channels.
type plumbing struct {
	r       *Reader
	lines   []Invocation
	writes  [][]channel       // of each line
	next    [][]int           // of each line, the readers of what it writes
	readers map[channel][]int // indexes of lines; from len(lines) on, of runs
	runs    []Invocation      // for programs that run what they read
	calls   map[string][]int  // groups of the calls of a function
	steps   int
	again   bool // a command may write what an earlier one reads

	outs, ins map[int][]channel // of groups
	open, to  []channel         // what commands read and write by descriptors of exec and coproc
	files     files
}

// step limits the work.
func (p *plumbing) step(n int) {
	p.steps += n
	if p.steps > maxPipedSteps {
		panic(exhausted{})
	}
}

// connect finds the channels of all lines.
func (p *plumbing) connect() {
	p.readers, p.calls = map[channel][]int{}, map[string][]int{}
	p.outs, p.ins = map[int][]channel{}, map[int][]channel{}
	p.files = newFiles(p.r)
	p.again = p.r.repeats
	for i := range p.r.Commands {
		c := &p.r.Commands[i]
		if len(c.Words) == 0 {
			continue
		}
		if name := c.Words[0]; p.r.functions[name] {
			p.calls[name] = append(p.calls[name], c.group)
		}
		p.again = p.again || c.Words[0] == "mkfifo" || c.Words[0] == "mknod"
	}
	// Commands without words connect channels. They are lines without text.
	named := map[int]bool{}
	for _, l := range p.lines {
		named[l.Command] = true
	}
	for i := range p.r.Commands {
		if !named[i] {
			p.lines = append(p.lines, Invocation{Command: i})
		}
	}
	slices.SortStableFunc(p.lines, func(a, b Invocation) int { return a.Command - b.Command })
	for i, l := range p.lines {
		if p.r.Commands[l.Command].stands {
			p.lines[i].Words = nil
		}
	}
	if slices.ContainsFunc(p.r.groups, func(g group) bool { return g.kind == coprocess }) {
		p.open, p.to = []channel{{kind: coprocess}}, []channel{{kind: coprocess, number: 1}}
	}
	p.writes, p.next = make([][]channel, len(p.lines)), make([][]int, len(p.lines))
	if p.again {
		for i := range p.lines {
			p.written(i)
		}
	}
	for i := range p.lines {
		p.line(i)
	}
}

// written records the files that a line writes, and returns their channels.
func (p *plumbing) written(i int) (all []channel) {
	l := p.lines[i]
	c := &p.r.Commands[l.Command]
	for _, redirect := range c.Redirects {
		if strings.Contains(redirect.Op, ">") {
			all = append(all, p.files.write(redirect.Target)...)
		}
	}
	for _, name := range parseLine(l).writes() {
		all = append(all, p.files.write(name)...)
	}
	return all
}

// line connects one line.
func (p *plumbing) line(i int) {
	l := p.lines[i]
	c := &p.r.Commands[l.Command]
	if c.stands {
		words, processes, _ := p.own(c.Inside)
		p.run(runner{name: shellName, text: true, file: "-", stdin: true}, i, []channel{{kind: input, line: c.Inside}}, words, processes)
		return
	}
	p.files.enter(l.Words)
	in := slices.Concat(p.in(c.group), p.open)
	for _, redirect := range c.Redirects {
		if strings.HasPrefix(redirect.Op, "<") && redirect.Text == "" {
			in = append(in, p.files.read(redirect.Target)...)
		}
	}
	in = append(in, channel{kind: input, line: c.Line})
	for _, redirect := range c.Redirects {
		if strings.HasPrefix(redirect.Op, "<<") {
			for _, name := range variablesIn(redirect.Target + redirect.Text) {
				in = append(in, channel{kind: assigned, name: name})
			}
		}
	}
	words, processes, out := p.own(c.Line)
	for _, a := range c.Assigns {
		for _, name := range variablesIn(a) {
			words = append(words, channel{kind: assigned, name: name})
		}
	}
	for _, n := range c.Unknown {
		for _, name := range variablesIn(c.Words[n]) {
			words = append(words, channel{kind: assigned, name: name})
		}
	}
	parsed := parseLine(l)
	if program, ok := parsed.runner(); ok {
		p.run(program, i, in, words, processes)
	}
	read := slices.Concat(in, words, processes)
	names := parsed.starts()
	if !p.files.moves(parsed) {
		names = append(names, parsed.reads()...)
	}
	for _, name := range names {
		read = append(read, p.files.read(name)...)
	}
	p.read(i, read)
	if !p.again {
		p.files.replace(read)
	}
	out = append(out, p.out(c.group)...)
	out = append(out, p.written(i)...)
	for _, name := range assignedBy(c) {
		out = append(out, channel{kind: assigned, name: name})
	}
	if len(l.Words) == 1 && l.Words[0] == "exec" { // for the commands after it
		p.open, p.to = in, append(p.to, out...)
	} else {
		out = append(out, p.to...)
	}
	p.step(len(out))
	p.writes[i] = out
}

// own returns the channels of the substitutions in the words of a command and of
// those that run it.
func (p *plumbing) own(line int) (words, processes, out []channel) {
	for ; line > 0; line = p.r.Commands[line-1].caller {
		p.step(1)
		words = append(words, channel{kind: operands, line: line})
		processes = append(processes, channel{kind: process, line: line})
		out = append(out, channel{kind: output, line: line})
	}
	return words, processes, out
}

// run connects a program that runs what it reads.
func (p *plumbing) run(program runner, i int, in, words, processes []channel) {
	var from []channel
	if program.stdin {
		from = append(from, in...)
	}
	if program.text && !program.literal {
		from = append(from, words...)
	}
	if program.file != "" {
		from = append(from, processes...)
		from = append(from, p.files.read(program.file)...)
	}
	p.runs = append(p.runs, Invocation{Words: []string{program.name}, Command: p.lines[i].Command})
	p.read(len(p.lines)+len(p.runs)-1, from)
}

// read adds a reader to channels.
func (p *plumbing) read(reader int, from []channel) {
	p.step(len(from))
	for _, c := range from {
		if all := p.readers[c]; len(all) == 0 || all[len(all)-1] != reader {
			p.readers[c] = append(all, reader)
		}
	}
}

// out returns where the output of a group's commands goes.
func (p *plumbing) out(n int) []channel {
	return p.ends(n, p.outs, func(g group) (own []channel, further []int) {
		switch {
		case g.kind == stageOf && !g.last:
			return []channel{{kind: stageOf, number: g.number, stage: g.stage}}, nil
		case (g.kind == operands || g.kind == process || g.kind == input) && g.host > 0:
			return []channel{{kind: g.kind, line: g.host}}, nil
		case g.kind == assigned:
			return []channel{{kind: assigned, name: g.name}}, nil
		case g.kind == function:
			return nil, p.calls[g.name]
		case g.kind == coprocess:
			return []channel{{kind: coprocess}}, nil
		case g.kind == redirected:
			for _, redirect := range p.r.Commands[g.host-1].Redirects {
				if strings.Contains(redirect.Op, ">") {
					own = append(own, p.files.write(redirect.Target)...)
				}
			}
			own = append(own, channel{kind: output, line: g.host})
		}
		return own, []int{g.parent}
	})
}

// in returns where the input of a group's commands comes from.
func (p *plumbing) in(n int) []channel {
	return p.ends(n, p.ins, func(g group) (own []channel, further []int) {
		switch {
		case g.kind == stageOf && g.stage > 1:
			return []channel{{kind: stageOf, number: g.number, stage: g.stage - 1}}, nil
		case g.kind == output && g.host > 0:
			return []channel{{kind: output, line: g.host}}, nil
		case g.kind == function:
			return nil, p.calls[g.name]
		case g.kind == coprocess:
			return []channel{{kind: coprocess, number: 1}}, nil
		case g.kind == redirected:
			for _, redirect := range p.r.Commands[g.host-1].Redirects {
				if strings.HasPrefix(redirect.Op, "<") && redirect.Text == "" {
					own = append(own, p.files.read(redirect.Target)...)
				}
			}
			own = append(own, channel{kind: input, line: g.host})
		}
		return own, []int{g.parent}
	})
}

// ends returns the channels of a group and of the groups around it, once.
func (p *plumbing) ends(n int, known map[int][]channel, of func(group) ([]channel, []int)) []channel {
	if n == 0 {
		return nil
	}
	if all, ok := known[n]; ok {
		return all
	}
	known[n] = nil // a function may call itself
	own, further := of(p.r.groups[n-1])
	all := slices.Clone(own)
	for _, g := range further {
		all = append(all, p.ends(g, known, of)...)
	}
	p.step(1 + len(all))
	known[n] = all
	return all
}

// after returns the readers of what a line writes, each once.
func (p *plumbing) after(n int) []int {
	if p.next[n] == nil {
		all := []int{}
		for _, c := range p.writes[n] {
			p.step(len(p.readers[c]))
			all = append(all, p.readers[c]...)
		}
		slices.Sort(all)
		p.next[n] = slices.Compact(all)
	}
	return p.next[n]
}

// within returns the pipelines that are found within the budget. The error is a *Note.
func (p *plumbing) within() (all [][]Invocation, err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			if _, ok := wrong.(exhausted); !ok {
				panic(wrong)
			}
			err = &Note{Cause: "it has too many pipelines"}
		}
	}()
	p.pipelines(&all)
	return all, nil
}

// pipelines adds all ways through the lines.
func (p *plumbing) pipelines(all *[][]Invocation) {
	p.connect()
	seen := map[string]bool{}
	size := 0
	for begin := range p.lines {
		if len(p.lines[begin].Words) == 0 {
			continue
		}
		found := 0
		on := map[int]bool{}
		var way []Invocation
		var follow func(n int)
		follow = func(n int) {
			p.step(1)
			at := len(way)
			defer func() { way = way[:at] }()
			if n >= len(p.lines) {
				way = append(way, p.runs[n-len(p.lines)])
			} else if len(p.lines[n].Words) > 0 {
				way = append(way, p.lines[n])
			}
			end := true
			if n < len(p.lines) {
				on[n] = true
				defer delete(on, n)
				for _, next := range p.after(n) {
					if !on[next] {
						end = false
						follow(next)
					}
				}
			}
			if !end {
				return
			}
			p.step(len(way))
			var key strings.Builder
			for _, l := range way {
				key.WriteString(l.String())
				key.WriteString("\x00")
			}
			if text := key.String(); !seen[text] {
				seen[text] = true
				*all = append(*all, slices.Clone(way))
				found++
				size += len(text)
			}
			if found > maxPipelines || size > maxPiped {
				panic(exhausted{})
			}
		}
		follow(begin)
	}
}
