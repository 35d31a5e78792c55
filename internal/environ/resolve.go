package environ

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// resolver resolves paths as the system does, and remembers what it has seen.
type resolver struct {
	seen   map[string]file // by physical path
	bounds []fs.FileInfo   // directories that paths are compared with
}

// file is what is at a path.
type file struct {
	target string      // of a link; "" if it is not one
	info   fs.FileInfo // nil if there is nothing
}

// bound adds a directory for inBounds.
func (r *resolver) bound(dir string) {
	if info, err := os.Stat(dir); err == nil {
		r.bounds = append(r.bounds, info)
	}
}

// inBounds reports whether a physical path is one of the bounds, or below one,
// under another name: mounts, macOS's firmlinks and file systems that ignore case
// give a directory several.
func (r *resolver) inBounds(physical string) bool {
	if len(r.bounds) == 0 {
		return false
	}
	for at := physical; at != filepath.Dir(at); at = filepath.Dir(at) {
		info := r.at(at).info
		if info != nil && slices.ContainsFunc(r.bounds, func(bound fs.FileInfo) bool { return os.SameFile(bound, info) }) {
			return true
		}
	}
	return false
}

// physical returns the physical form of an absolute path; "" if it is too long, or
// leads through /proc or /dev, whose links depend on the process that follows
// them. Elements need not exist.
func (r *resolver) physical(name string) string {
	if runtime.GOOS == "windows" {
		return paths.Physical(name)
	}
	if len(name) > paths.MaxPath {
		return ""
	}
	at, rest, followed := "/", name, 0
	for rest != "" {
		var element string
		element, rest, _ = strings.Cut(rest, "/")
		switch element {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := at + "/" + element
		if at == "/" {
			next = "/" + element
		}
		if inSpecial(next) {
			return ""
		}
		target := r.follow(next)
		if target == "" {
			at = next
			continue
		}
		if followed++; followed > paths.MaxLinks {
			return ""
		}
		if rest = target + "/" + rest; target[0] == '/' {
			at = "/"
		}
	}
	return at
}

func (r *resolver) follow(name string) string { return r.at(name).target }

func (r *resolver) at(name string) file {
	f, seen := r.seen[name]
	if !seen {
		if info, err := os.Lstat(name); err == nil {
			f.info = info
			if info.Mode()&fs.ModeSymlink != 0 {
				f.target, _ = os.Readlink(name)
			}
		}
		if r.seen == nil {
			r.seen = make(map[string]file, 16)
		}
		r.seen[name] = f
	}
	return f
}

func inSpecial(name string) bool {
	return name == "/proc" || name == "/dev" || strings.HasPrefix(name, "/proc/") || strings.HasPrefix(name, "/dev/")
}

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
// contains one is no boundary: everything would be inside it.
var systemRoots = [...]string{
	"/bin", "/sbin", "/lib", "/usr", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/local", "/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/share",
	"/etc", "/opt", "/opt/homebrew", "/opt/homebrew/bin", "/opt/local", "/opt/local/bin", "/nix/store", "/run/current-system/sw", "/snap/bin",
	"/System", "/Library", "/Applications", `C:\Windows`, `C:\Windows\System32`, `C:\Program Files`,
}

// temporary are the directories in which everybody can create files.
var temporary = [...]string{"/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/run/user", "/run/shm", "/run/lock", "/var/lock"}
