package cases

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// change is one key of an expectation and its new value.
type change struct {
	key   string
	value *value
}

// Update returns the case's file with what came in the place of what was
// expected; left tells which mismatches it says nothing about. What it does not
// change stays byte for byte. The error says why there is nothing to write.
func (r *Result) Update() (updated []byte, left []string, err error) {
	if r.Status != Failed {
		return nil, nil, fmt.Errorf("the case is %s", r.Status)
	}
	changes, whole, left := r.changes()
	if len(changes) == 0 {
		return nil, left, errors.New("nothing that came can be expected")
	}
	e := editor{Case: r.Case, changes: changes}
	write := e.keys
	if whole {
		write = e.whole
	}
	if updated := write(); updated != nil && e.holds(updated, whole) {
		return updated, left, nil
	}
	return nil, left, fmt.Errorf("the file is written in a way that cannot be changed safely; write this into it: expect: %s", mapping(changes).JSON())
}

// changes returns what is to be expected; whole: instead of everything that
// was.
func (r *Result) changes() (changes []change, whole bool, left []string) {
	for _, m := range r.Mismatches {
		switch m.What {
		case "expect", "fires":
			return r.everything(), true, nil
		case "exit", "decision", "reason", "context", "message", "modified_input", "updated_output":
			changes = append(changes, change{m.What, r.came(m.What)})
		case "failure":
			// What a hook left behind that failed is nothing to hold it to.
			return nil, false, []string{"failure: mend the hook, or expect the failure by hand"}
		case "max_ms":
			left = append(left, "max_ms: a slow run is not a new time budget")
		default:
			left = append(left, m.What+": what files hold is for you to say")
		}
	}
	return changes, false, left
}

// everything is a whole expectation of what came.
func (r *Result) everything() []change {
	if !r.saw.fired {
		return []change{{"fires", &value{kind: boolean, token: "false"}}}
	}
	if r.saw.texts["failure"] != "" {
		return nil
	}
	changes := []change{{"exit", r.came("exit")}, {"decision", r.came("decision")}}
	for _, key := range []string{"reason", "modified_input", "updated_output", "context", "message"} {
		if v := r.came(key); v.kind != null {
			changes = append(changes, change{key, v})
		}
	}
	return changes
}

// came is what came, as the value of a key.
func (r *Result) came(key string) *value {
	nothing := &value{kind: null, token: "null"}
	switch key {
	case "exit":
		if r.saw.exit.none {
			return nothing
		}
		return &value{kind: number, token: strconv.Itoa(r.saw.exit.status)}
	case "decision":
		return stringValue(r.saw.decision)
	case "modified_input", "updated_output":
		if v := r.saw.values[key]; v != nil {
			return v.spelled().replaced([]string{r.work, workDir})
		}
		return nothing
	}
	if text := r.saw.texts[key]; text != "" {
		return stringValue(patternOf(text, r.work))
	}
	return nothing
}

// spelled returns the value with its strings as we spell them.
func (v *value) spelled() *value {
	plain := *v
	if v.kind == text {
		plain.token = quote(v.text())
	}
	plain.entries, plain.items = slices.Clone(v.entries), slices.Clone(v.items)
	for i := range plain.entries {
		plain.entries[i].value = plain.entries[i].value.spelled()
	}
	for i := range plain.items {
		plain.items[i] = plain.items[i].spelled()
	}
	return &plain
}

// patternOf is an expression that finds the first line of text, whatever the
// work dir is.
func patternOf(text, work string) string {
	const most = 80
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "�")), "\n")
	if runes := []rune(strings.TrimSpace(line)); len(runes) > most {
		line = string(runes[:most])
	}
	parts := strings.Split(line, work)
	for i, part := range parts {
		parts[i] = escapePattern(strings.TrimSuffix(part, "\r"))
	}
	return strings.Join(parts, ".*")
}

// escapePattern makes an expression that finds s.
func escapePattern(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func mapping(changes []change) *value {
	v := &value{kind: object}
	for _, c := range changes {
		v.set(c.key, c.value)
	}
	return v
}

// Write replaces the case's file by updated, if it still is as it was read. It
// is whole at every moment.
func (c *Case) Write(updated []byte) error {
	info, err := os.Lstat(c.Path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is a link; change what it leads to")
	}
	now, err := readRegular(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.source.bytes) {
		return errors.New("it has changed meanwhile")
	}
	file, err := os.CreateTemp(filepath.Dir(c.Path), "."+filepath.Base(c.Path)+"-*")
	if err != nil {
		return fmt.Errorf("its folder cannot be written in: %s", plainError(err))
	}
	_, err = file.Write(updated)
	if err == nil {
		err = file.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), c.Path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// Source returns the case's file as it was read.
func (c *Case) Source() []byte { return c.source.bytes }
