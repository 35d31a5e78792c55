package environ

import (
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// isLiteral reports whether a value consists of one path that no program can
// read as anything else: on Unix letters, digits and /._-+@,%=, on Windows a path
// on a drive.
func isLiteral(value string) bool {
	if runtime.GOOS == "windows" {
		return onDrive(value) && !strings.ContainsAny(value[2:], `:;"*?<>|`)
	}
	for _, r := range value {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+@,%=", r) {
			return false
		}
	}
	return strings.HasPrefix(value, "/")
}

func onDrive(value string) bool {
	return len(value) > 2 && value[1] == ':' && (value[2] == '\\' || value[2] == '/') && unicode.IsLetter(rune(value[0]))
}

// isProgramFolder reports whether an entry of PATH is an absolute path that
// shells do not expand.
func isProgramFolder(entry string) bool {
	if runtime.GOOS == "windows" {
		return onDrive(entry)
	}
	return strings.HasPrefix(entry, "/") && !strings.ContainsAny(entry, "$`\"'\\*?[~\n\x00")
}

// systemFolders are the directories that only the system's administrator can
// change, in which the programs of systems are.
var systemFolders = [...]string{
	"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/games", "/usr/local/games", "/snap/bin",
	"/opt/homebrew/bin", "/opt/homebrew/sbin", "/opt/local/bin", "/opt/local/sbin", "/home/linuxbrew/.linuxbrew/bin",
	"/run/current-system/sw/bin", "/run/wrappers/bin", "/nix/var/nix/profiles/default/bin", "/usr/lib/wsl/lib",
	"/System/Cryptexes/App/usr/bin", "/Library/Apple/usr/bin",
}

// standardFolders are the system folders without which scripts do not find the
// programs that they use.
var standardFolders = [...]string{"/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin"}

// missingFolders returns the standard folders that exist and are not in a list.
func missingFolders(list []string) (missing []string) {
	for _, folder := range standardFolders {
		if runtime.GOOS != "windows" && !slices.Contains(list, folder) && paths.IsFolder(folder) {
			missing = append(missing, folder)
		}
	}
	return missing
}

// systemRoots are the system's directories. A project or working directory that
// contains one is not a boundary: everything would be inside it.
var systemRoots = [...]string{
	"/bin", "/sbin", "/lib", "/usr", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/local", "/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/share",
	"/etc", "/opt", "/opt/homebrew", "/opt/homebrew/bin", "/opt/local", "/opt/local/bin", "/nix/store", "/run/current-system/sw", "/snap/bin",
	"/System", "/Library", "/Applications", `C:\Windows`, `C:\Windows\System32`, `C:\Program Files`,
}

// temporary are the directories in which everybody can create files.
var temporary = [...]string{"/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/run/user", "/run/shm", "/run/lock", "/var/lock"}
