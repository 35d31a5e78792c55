package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// call is one call of a utility: as a command of a script, without a process of its own, or as a
// program of its name.
type call struct {
	dir            string // in which relative operands are
	stdin          io.Reader
	stdout, stderr io.Writer
	options        map[rune]string // those that were given; the value is that of the last one
	args           []string        // operands
}

// utility is one of the programs that Unix has. It knows the options that the tests use; others are
// errors.
type utility struct {
	options string // as for getopts
	run     func(*call) (status int, err error)
}

func utilities() map[string]utility {
	return map[string]utility{
		"cat":   {"", cat},
		"cut":   {"d:f:c:", cut},
		"grep":  {"EFHchilnoqrsvxe:", grep},
		"head":  {"n:c:", head},
		"mkdir": {"p", mkdir},
		"rm":    {"rf", rm},
		"rmdir": {"", rmdir},
		"sed":   {"nEe:", sed},
		"sort":  {"ru", sorted},
		"tail":  {"n:", tail},
		"touch": {"", touch},
		"tr":    {"d", tr},
		"wc":    {"lc", wc},
	}
}

// misuse is the status of a utility that was called wrongly or failed.
const misuse = 2

// do runs the utility with the name args[0].
func (u utility) do(c *call, args []string) (status int) {
	err := c.parse(u.options, args[1:])
	if err == nil {
		out := bufio.NewWriter(c.stdout)
		c.stdout = out
		status, err = u.run(c)
		err = errors.Join(err, out.Flush())
	}
	if err != nil {
		fmt.Fprintf(c.stderr, "%s: %v\n", args[0], err)
		return max(status, misuse)
	}
	return status
}

// parse separates the options from the operands.
func (c *call) parse(known string, args []string) error {
	c.options = map[rune]string{}
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		letters := args[0][1:]
		args = args[1:]
		if letters == "-" {
			break
		}
		if _, err := strconv.Atoi(letters); err == nil && strings.Contains(known, "n:") {
			c.options['n'] = letters // head -1
			continue
		}
		for i, letter := range letters {
			at := strings.IndexRune(known, letter)
			if at < 0 || letter == ':' {
				return fmt.Errorf("tools/sh does not have its option -%c", letter)
			}
			if !strings.HasPrefix(known[at+1:], ":") {
				c.options[letter] = ""
				continue
			}
			value := letters[i+1:]
			if value == "" {
				if len(args) == 0 {
					return fmt.Errorf("option -%c needs a value", letter)
				}
				value, args = args[0], args[1:]
			}
			c.options[letter] = value
			break
		}
	}
	c.args = args
	return nil
}

func (c *call) has(option rune) bool { _, ok := c.options[option]; return ok }

// path returns an operand as a path of this system.
func (c *call) path(name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.dir, name)
}

// input returns the text of the files, or stdin.
func (c *call) input(files []string) (io.Reader, error) {
	if len(files) == 0 {
		return c.stdin, nil
	}
	var all []io.Reader
	for _, file := range files {
		switch file {
		case "-":
			all = append(all, c.stdin)
			continue
		case "/dev/null":
			continue
		case "/dev/zero":
			all = append(all, zeros{})
			continue
		}
		f, err := os.Open(c.path(file)) // closed by the end of the process
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return io.MultiReader(all...), nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// eachLine calls do with each line of the files, without its end, until it returns false.
func (c *call) eachLine(files []string, do func(line string) bool) error {
	in, err := c.input(files)
	if err != nil {
		return err
	}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" && !do(strings.TrimSuffix(line, "\n")) {
			return nil
		}
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
}

func cat(c *call) (int, error) {
	in, err := c.input(c.args)
	if err == nil {
		_, err = io.Copy(c.stdout, in)
	}
	return 0, err
}

func cut(c *call) (int, error) {
	number, err := strconv.Atoi(c.options['f'] + c.options['c'])
	if err != nil {
		return misuse, errors.New("tools/sh selects one field or character")
	}
	return 0, c.eachLine(c.args, func(line string) bool {
		fields := strings.Split(line, c.options['d'])
		if c.has('c') {
			fields = strings.Split(line, "")
		}
		text := ""
		if number <= len(fields) {
			text = fields[number-1]
		}
		if len(fields) == 1 && c.has('f') { // lines without the separator stay whole
			text = line
		}
		fmt.Fprintln(c.stdout, text)
		return true
	})
}

func grep(c *call) (int, error) {
	if !c.has('e') {
		if len(c.args) == 0 {
			return misuse, errors.New("no pattern")
		}
		c.options['e'], c.args = c.args[0], c.args[1:]
	}
	re, err := c.pattern(c.options['e'])
	if err != nil {
		return misuse, err
	}
	files, err := c.files()
	found := false
	for _, file := range files {
		matches, failed := c.grepFile(re, file, (len(c.args) > 1 || c.has('r') || c.has('H')) && !c.has('h'))
		found, err = found || matches, errors.Join(err, failed)
	}
	if err == nil && !found {
		return 1, nil
	}
	return 0, err
}

// files returns the operands, "-" if there are none, and with -r the files in them.
func (c *call) files() (files []string, err error) {
	if len(c.args) == 0 {
		return []string{"-"}, nil
	}
	if !c.has('r') {
		return c.args, nil
	}
	for _, arg := range c.args {
		err = errors.Join(err, filepath.WalkDir(c.path(arg), func(path string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				files = append(files, arg+filepath.ToSlash(strings.TrimPrefix(path, c.path(arg))))
			}
			return err
		}))
	}
	return files, err
}

// grepFile prints what matches in a file, each line with its name if named.
func (c *call) grepFile(re *regexp.Regexp, file string, named bool) (found bool, err error) {
	prefix := ""
	if named {
		prefix = file + ":"
	}
	count, number := 0, 0
	err = c.eachLine([]string{file}, func(line string) bool {
		number++
		if re.MatchString(line) == c.has('v') {
			return true
		}
		count++
		lead := prefix
		if c.has('n') {
			lead += strconv.Itoa(number) + ":"
		}
		switch {
		case c.has('q'), c.has('l'):
			return false
		case c.has('c'):
		case c.has('o'):
			for _, match := range re.FindAllString(line, -1) {
				fmt.Fprintln(c.stdout, lead+match)
			}
		default:
			fmt.Fprintln(c.stdout, lead+line)
		}
		return true
	})
	switch {
	case c.has('l') && count > 0:
		fmt.Fprintln(c.stdout, file)
	case c.has('c'):
		fmt.Fprintln(c.stdout, prefix+strconv.Itoa(count))
	}
	return count > 0, err
}

// pattern compiles a regular expression as the options say.
func (c *call) pattern(text string) (*regexp.Regexp, error) {
	switch {
	case c.has('F'):
		text = regexp.QuoteMeta(text)
	case !c.has('E'):
		text = extended(text)
	}
	if c.has('x') {
		text = "^(" + text + ")$"
	}
	if c.has('i') {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err == nil {
		re.Longest()
	}
	return re, err
}

// extended translates a basic regular expression, in which \( \) \{ \} \| \+ and \? are operators.
func extended(basic string) string {
	var b strings.Builder
	for i := 0; i < len(basic); i++ {
		switch ch := basic[i]; {
		case ch == '\\' && i+1 < len(basic):
			i++
			if !strings.ContainsRune("(){}|+?", rune(basic[i])) {
				b.WriteByte('\\')
			}
			b.WriteByte(basic[i])
		case ch == '[':
			end := i + 1
			if strings.HasPrefix(basic[end:], "^") {
				end++
			}
			if strings.HasPrefix(basic[end:], "]") {
				end++
			}
			for end < len(basic) && basic[end] != ']' {
				if strings.HasPrefix(basic[end:], "[:") {
					end += 2 + strings.Index(basic[end+2:], ":]") + 1
				}
				end++
			}
			b.WriteString(strings.ReplaceAll(basic[i:min(end+1, len(basic))], `\`, `\\`))
			i = end
		case strings.IndexByte("(){}|+?", ch) >= 0, ch == '*' && (i == 0 || strings.HasSuffix(basic[:i], `\(`)):
			b.WriteString(`\` + string(ch))
		default:
			b.WriteByte(ch)
		}
	}
	return b.String()
}

func head(c *call) (int, error) {
	if c.has('c') {
		n, err := strconv.ParseInt(c.options['c'], 10, 64)
		if err != nil {
			return misuse, err
		}
		in, err := c.input(c.args)
		if err == nil {
			_, err = io.Copy(c.stdout, io.LimitReader(in, n))
		}
		return 0, err
	}
	left, err := c.lines()
	if err != nil || left == 0 {
		return 0, err
	}
	return 0, c.eachLine(c.args, func(line string) bool {
		fmt.Fprintln(c.stdout, line)
		left--
		return left > 0
	})
}

// lines returns the number of lines of head and tail.
func (c *call) lines() (int, error) {
	if !c.has('n') {
		return 10, nil
	}
	return strconv.Atoi(c.options['n'])
}

func tail(c *call) (int, error) {
	n, err := c.lines()
	if err != nil {
		return misuse, err
	}
	var last []string
	err = c.eachLine(c.args, func(line string) bool {
		last = append(last, line)
		last = last[max(0, len(last)-n):]
		return true
	})
	for _, line := range last {
		fmt.Fprintln(c.stdout, line)
	}
	return 0, err
}

func mkdir(c *call) (int, error) {
	return each(c, func(path string) error {
		if c.has('p') {
			return os.MkdirAll(path, 0o777)
		}
		return os.Mkdir(path, 0o777)
	})
}

func rm(c *call) (int, error) {
	return each(c, func(path string) error {
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, os.ErrNotExist) && c.has('f'):
			return nil
		case err == nil && info.IsDir() && c.has('r'):
			return os.RemoveAll(path)
		case err == nil && info.IsDir():
			return fmt.Errorf("%s is a directory", path)
		}
		return os.Remove(path)
	})
}

func rmdir(c *call) (int, error) {
	return each(c, func(path string) error {
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a directory", path)
		}
		return os.Remove(path)
	})
}

func touch(c *call) (int, error) {
	return each(c, func(path string) error {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		defer f.Close()
		now := time.Now()
		return os.Chtimes(path, now, now)
	})
}

// each calls do with the path of each operand.
func each(c *call, do func(path string) error) (status int, err error) {
	for _, arg := range c.args {
		if failed := do(c.path(arg)); failed != nil {
			status, err = 1, errors.Join(err, failed)
		}
	}
	return status, err
}

func sorted(c *call) (int, error) {
	var lines []string
	err := c.eachLine(c.args, func(line string) bool {
		lines = append(lines, line)
		return true
	})
	slices.Sort(lines)
	if c.has('u') {
		lines = slices.Compact(lines)
	}
	if c.has('r') {
		slices.Reverse(lines)
	}
	for _, line := range lines {
		fmt.Fprintln(c.stdout, line)
	}
	return 0, err
}

// tr replaces or deletes single characters.
func tr(c *call) (int, error) {
	escapes := strings.NewReplacer(`\\`, `\`, `\0`, "\x00", `\n`, "\n", `\t`, "\t")
	sets := []string{}
	for _, arg := range c.args {
		sets = append(sets, escapes.Replace(arg))
	}
	if c.has('d') {
		sets = append(sets, "")
	}
	if len(sets) != 2 || strings.ContainsAny(sets[0], "-[") || len(sets[1]) > len(sets[0]) {
		return misuse, errors.New("tools/sh has only sets of single characters")
	}
	var table [256]int
	for i := range table {
		table[i] = i
	}
	for i := range len(sets[0]) {
		table[sets[0][i]] = -1
		if !c.has('d') {
			table[sets[0][i]] = int(sets[1][min(i, len(sets[1])-1)])
		}
	}
	_, err := io.Copy(mapped{&table, c.stdout}, c.stdin)
	return 0, err
}

type mapped struct {
	table *[256]int
	to    io.Writer
}

func (m mapped) Write(p []byte) (int, error) {
	var out bytes.Buffer
	for _, ch := range p {
		if to := m.table[ch]; to >= 0 {
			out.WriteByte(byte(to))
		}
	}
	_, err := m.to.Write(out.Bytes())
	return len(p), err
}

func wc(c *call) (int, error) {
	in, err := c.input(c.args)
	if err != nil {
		return 1, err
	}
	text, err := io.ReadAll(in)
	switch {
	case c.has('l'):
		fmt.Fprintln(c.stdout, bytes.Count(text, []byte("\n")))
	case c.has('c'):
		fmt.Fprintln(c.stdout, len(text))
	default:
		return misuse, errors.New("tools/sh counts lines or bytes")
	}
	return 0, err
}
