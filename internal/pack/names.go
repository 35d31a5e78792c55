package pack

import (
	"fmt"
	"path"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/trust"
	"golang.org/x/text/unicode/norm"
)

// ValidName reports whether a hook's folder in a pack may have this name: lower-case letters,
// digits and single dashes between them.
func ValidName(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" &&
		!strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-") && !strings.Contains(name, "--") && !isDevice(name)
}

// checkPart rejects names of files that not every system can store as they are, that look
// different from what they are, or that git uses.
func checkPart(name string) error {
	base, _, _ := strings.Cut(fold(name), ".") // "COM¹" is a device, too
	cause := ""
	switch {
	case name == "" || name == "." || name == "..":
		cause = "is not a name"
	case !plain(name):
		cause = "contains invisible characters"
	case strings.ContainsAny(name, `/\:*?"<>|`):
		cause = "contains a character that paths use on some systems"
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		cause = "ends in a dot or a space"
	case strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1"):
		cause = "belongs to git"
	case isDevice(strings.TrimRight(base, " ")):
		cause = "is a device on Windows"
	default:
		return nil
	}
	return fmt.Errorf("the name %q %s", name, cause)
}

// isDevice reports whether a name in lower case is one of Windows's devices.
func isDevice(name string) bool {
	switch name {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")) && name[3] >= '0' && name[3] <= '9'
}

// checkFolder rejects a folder with two names that are one on some systems. readFolder has rejected
// links and the names that checkPart rejects.
func checkFolder(f *trust.Folder) error {
	type entry struct {
		path string
		file bool
	}
	seen := map[string]entry{} // by their folded paths
	for _, file := range f.Files {
		for at := file.Path; at != "."; at = path.Dir(at) {
			other, was := seen[fold(at)]
			if was && (other.path != at || other.file || at == file.Path) {
				return fmt.Errorf("%q and %q are one name on some systems", other.path, at)
			}
			seen[fold(at)] = entry{at, at == file.Path}
		}
	}
	return nil
}

// fold returns the same text for names that are one on a file system that ignores case or
// normalizes Unicode.
func fold(name string) string {
	return norm.NFKC.String(strings.ToLower(strings.ToUpper(norm.NFKC.String(name))))
}
