package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// files are the files that commands write and others read. A file is found by
// its name from the directory in which the command runs, and by its name as
// written. Where a part of the name is not known, the last part decides.
type files struct {
	home    string
	dir     string              // the directory, as far as it is known
	written map[string]bool     // all names
	dark    map[string]bool     // the last parts of names whose directory is not known
	bases   map[string][]string // the names with a last part
	other   map[string][]string // the names that a file has after mv and cp
	version map[string]int      // of files whose content commands replaced after they read it
	reading map[string]bool     // files that the current command reads
}

func newFiles(r *Reader) files {
	return files{home: r.Variables["HOME"], written: map[string]bool{}, dark: map[string]bool{}, bases: map[string][]string{}, other: map[string][]string{}, version: map[string]int{}}
}

// enter follows cd.
func (f *files) enter(words []string) {
	if len(words) == 0 || words[0] != "cd" && words[0] != "pushd" {
		return
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			f.dir = f.from(w)
			return
		}
	}
	f.dir = f.home
}

// from returns a name as seen from the beginning of the text.
func (f *files) from(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && f.home != "" {
		name = f.home + "/" + rest
	}
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "$") || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "`") {
		return path.Clean(name)
	}
	return path.Join(f.dir, name)
}

// names returns the names of one file.
func (f *files) names(name string) []string {
	switch {
	case name == "", name == "-", strings.HasPrefix(name, "/dev/"), strings.HasPrefix(name, "&"), strings.HasSuffix(name, "/"), len(name) > maxValue:
		return nil
	}
	names := []string{path.Clean(name)}
	if from := f.from(name); from != names[0] {
		names = append(names, from)
	}
	return names
}

// isDark reports whether the directory in a name is not known, but its last part.
func isDark(name string) bool {
	dir, base := path.Split(name)
	return strings.ContainsAny(dir, "$`*?[") && !strings.ContainsAny(base, "$`*?[")
}

// write records a file, and returns the channels to it.
func (f *files) write(name string) (all []channel) {
	for _, name := range f.names(name) {
		if !f.written[name] {
			f.written[name] = true
			f.bases[path.Base(name)] = append(f.bases[path.Base(name)], name)
		}
		f.dark[path.Base(name)] = f.dark[path.Base(name)] || isDark(name)
		if f.reading[name] {
			delete(f.reading, name)
			f.version[name]++
		}
		all = append(all, channel{kind: file, name: name, number: f.version[name]})
	}
	return all
}

// replace records which files the current command reads. What it writes into them
// comes from their content, so only it is read from now on.
func (f *files) replace(read []channel) {
	clear(f.reading)
	for _, c := range read {
		if c.kind == file {
			if f.reading == nil {
				f.reading = map[string]bool{}
			}
			f.reading[c.name] = true
		}
	}
}

// read returns the channels from a file that was written.
func (f *files) read(name string) (all []channel) {
	if len(f.written) == 0 {
		return nil
	}
	add := func(name string) {
		if c := (channel{kind: file, name: name, number: f.version[name]}); f.written[name] && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	for _, name := range f.names(name) {
		add(name)
		for _, other := range f.other[name] {
			add(other)
		}
		base := path.Base(name)
		for _, other := range f.bases[base] {
			if isDark(name) || isDark(other) {
				add(other)
			}
		}
	}
	if strings.ContainsAny(name, "*?[") {
		const maxGlob = 100
		tried := 0
		for other := range f.written {
			tried++
			if tried > maxGlob {
				break
			}
			if ok, _ := path.Match(path.Clean(name), other); ok {
				add(other)
			}
		}
	}
	return all
}

// moves follows programs such as mv and cp, and reports whether the command is of one.
func (f *files) moves(p parsedLine) bool {
	if len(p.words) < 3 || p.row.Is&program.Copies == 0 {
		return false
	}
	var names []string
	for _, i := range p.args.Operands {
		names = append(names, p.words[i].Text)
	}
	target := ""
	p.args.Each(program.Write, func(o *program.Given) { target = p.argument(o) })
	if target == "" && len(names) > 1 {
		target, names = names[len(names)-1], names[:len(names)-1]
	}
	for _, name := range names {
		from := f.read(name)
		for _, to := range []string{target, path.Join(target, path.Base(name))} {
			for _, to := range f.names(strings.TrimSuffix(to, "/")) {
				for _, c := range from {
					if len(f.other[to]) < maxVars && !slices.Contains(f.other[to], c.name) {
						f.other[to] = append(f.other[to], c.name)
					}
				}
			}
		}
	}
	return true
}

// readsNothing reports whether a command reads no file that its words name.
func (p parsedLine) readsNothing() bool {
	row := p.row
	return p.listed && (row.Operands|row.Last)&Reads == 0 && row.Is&program.MayRun == 0 && row.Runs == 0 && !p.args.Any(program.Read|program.Data|program.Load)
}

// reads returns the names of the files that a command may read.
func (p parsedLine) reads() (names []string) {
	nothing := p.readsNothing()
	for i := 1; i < len(p.words); i++ {
		if text := p.words[i].Text; !nothing || strings.Contains(text, "file://") {
			names = append(names, namesOf(text)...)
		}
	}
	return names
}

// starts returns the names of the files that a command starts as programs.
func (p parsedLine) starts() (names []string) {
	p.args.Each(program.Helper, func(o *program.Given) { names = append(names, p.argument(o)) })
	return names
}

// argument returns the argument of an option.
func (p parsedLine) argument(o *program.Given) string { return p.words[o.Value].Text[o.From:] }

// namesOf returns the texts in a word that may be the name of a file.
func namesOf(w string) []string {
	names := []string{w}
	for _, c := range []string{"=", "@", "<"} {
		if _, after, ok := strings.Cut(w, c); ok {
			names = append(names, strings.TrimPrefix(after, "@"))
		}
	}
	if after, ok := strings.CutPrefix(w, "file://"); ok {
		names = append(names, after)
	}
	return names
}

// writes returns the files that a command writes other than by redirections.
func (p parsedLine) writes() (names []string) {
	dir := ""
	for i := range p.args.Options {
		o := &p.args.Options[i]
		does, value := o.Does, ""
		switch {
		case o.Value >= 0:
			value = p.argument(o)
		case o.Listed:
			continue
		case p.words[o.At].Text == "-out" && o.At+1 < len(p.words):
			value = p.words[o.At+1].Text
		case o.From > 0 && o.From < len(p.words[o.At].Text):
			value = p.words[o.At].Text[o.From:]
		case o.At+1 < len(p.words):
			value = p.words[o.At+1].Text
		}
		if !o.Listed { // as most programs name them
			switch o.Name {
			case "--output-dir", "--directory-prefix", "--dir":
				does = program.Into
			case "-o", "--output", "--out", "-out":
				does = program.Write
			}
		}
		if does&program.Into != 0 {
			dir = value
		} else if does&program.Write != 0 {
			names = append(names, value)
		}
	}
	for _, i := range p.args.Operands {
		name := p.words[i].Text
		switch {
		case p.args.Any(program.Fetches), p.row.Is&program.Downloads != 0 && !p.args.Any(program.Instead):
			name = lastPart(name)
		case p.row.Is&program.Fills != 0:
			names = append(names, name+".gz", name+".bz2", name+".xz", name+".zst", name+".gpg")
		default:
			continue
		}
		names = append(names, name)
	}
	if dir != "" {
		for i := range names {
			names[i] = path.Join(dir, names[i])
		}
	}
	return names
}

// lastPart returns the last part of the path of a URL.
func lastPart(url string) string {
	if at := strings.IndexAny(url, "?#"); at >= 0 {
		url = url[:at]
	}
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
	}
	at := strings.LastIndexByte(rest, '/')
	if at < 0 && !strings.ContainsAny(rest, "$`") {
		return ""
	}
	return rest[at+1:]
}
