package shell

import (
	"path"
	"slices"
	"strings"
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

// moves follows mv, cp, ln and install, and reports whether the command is one of
// them.
func (f *files) moves(words []string) bool {
	if len(words) < 3 || !slices.Contains([]string{"mv", "cp", "ln", "install"}, Program(words[0])) {
		return false
	}
	var names []string
	target := ""
	for i := 1; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-t" && i+1 < len(words):
			i++
			target = words[i]
		case strings.HasPrefix(w, "--target-directory="):
			target = w[len("--target-directory="):]
		case w == "-m" || w == "-o" || w == "-g" || w == "-S":
			i++
		case !strings.HasPrefix(w, "-"):
			names = append(names, w)
		}
	}
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

// readsNoData reports whether a command reads no content of its operands.
func readsNoData(words []string) bool {
	if len(words) == 0 {
		return true
	}
	switch name := Program(words[0]); name {
	case "chmod", "chown", "rm", "unlink", "mkfifo", "mknod", "touch", "ls", "stat", "mkdir", "cd":
		return true
	default:
		return slices.Contains(printers[:], name)
	}
}

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

// writtenBy returns the files that a command writes other than by redirections.
func writtenBy(words []string) (names []string) {
	if len(words) < 2 {
		return nil
	}
	name, args := Program(words[0]), words[1:]
	given, dir := false, ""
	var rest []string
	for i, a := range args {
		next := func() string {
			if i+1 < len(args) {
				return args[i+1]
			}
			return ""
		}
		option, value, attached := strings.Cut(a, "=")
		switch {
		case !strings.HasPrefix(a, "-"):
			rest = append(rest, a)
			continue
		case option == "--output-dir" || option == "--directory-prefix" || option == "--dir":
			dir = value
			if !attached {
				dir = next()
			}
			continue
		case name == "wget" && strings.HasPrefix(a, "-P"), name == "aria2c" && strings.HasPrefix(a, "-d"):
			dir = a[2:]
			if dir == "" {
				dir = next()
			}
			continue
		case option == "--output", option == "--output-document", option == "--out", option == "-out":
			if !attached {
				value = next()
			}
		case strings.HasPrefix(a, "--"):
			continue
		default:
			letter := byte('o')
			if name == "wget" {
				letter = 'O'
			}
			at := strings.IndexByte(a, letter)
			if at < 0 {
				continue
			}
			value = a[at+1:]
			if value == "" {
				value = next()
			}
		}
		given = true
		names = append(names, value)
	}
	switch name {
	case "curl":
		if !slices.ContainsFunc(args, func(a string) bool {
			return strings.HasPrefix(a, "--remote-name") || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "O")
		}) {
			break
		}
		fallthrough
	case "wget", "aria2c":
		if given && name == "wget" {
			break
		}
		for _, url := range rest {
			names = append(names, lastPart(url))
		}
	case "tee", "sponge":
		names = append(names, rest...)
	case "dd":
		for _, a := range rest {
			if file, ok := strings.CutPrefix(a, "of="); ok {
				names = append(names, file)
			}
		}
	case "tar", "zip", "7z", "rar":
		names = append(names, rest...)
	case "gzip", "bzip2", "xz", "zstd", "gpg":
		for _, a := range rest {
			names = append(names, a+map[string]string{"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "gpg": ".gpg"}[name])
		}
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
