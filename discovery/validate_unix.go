//go:build unix

package discovery

import "path/filepath"

// hasExecuteBit says whether the system knows a permission to execute.
const hasExecuteBit = true

// interpreted reports whether the programs that a #! line names are there.
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
