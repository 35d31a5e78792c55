//go:build unix

package discovery

import "path/filepath"

// hasExecuteBit reports whether the system has an execute permission.
const hasExecuteBit = true

// interpreted reports whether the programs that a #! line names exist.
func (s script) interpreted(line, path string) bool {
	first, _ := splitShebang(line)
	if !filepath.IsAbs(first) || !isProgram(first) {
		return false
	}
	program, _ := interpreter(line)
	if filepath.IsAbs(program) {
		return isProgram(program)
	}
	_, err := findProgram(path, s.path, []string{program})
	return err == nil
}
