package judge

import (
	"runtime"
	"slices"
	"strings"
)

// inherited are the variables that the program gets, sorted: those by which it finds the user's files,
// other programs and a place for temporary ones. Others would choose, unnoticed, which service answers
// (OLLAMA_HOST, HTTPS_PROXY), and a repository's .env may contain them.
var inherited = [...]string{
	"APPDATA", "COMSPEC", "HOME", "HOMEDRIVE", "HOMEPATH", "LANG", "LANGUAGE", "LOCALAPPDATA", "LOGNAME", "PATH", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES",
	"SHELL", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER", "USERNAME", "USERPROFILE", "WINDIR",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
}

// Environ returns the part of environ, in the form KEY=value, that the program gets: what it needs, and
// the variables in keep, which the user names.
func Environ(environ, keep []string) []string {
	var list []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		key := name
		if runtime.GOOS == "windows" {
			key = strings.ToUpper(name)
		}
		_, known := slices.BinarySearch(inherited[:], key)
		if known || strings.HasPrefix(key, "LC_") || slices.ContainsFunc(keep, func(k string) bool {
			return k == name || runtime.GOOS == "windows" && strings.EqualFold(k, name)
		}) {
			list = append(list, kv)
		}
	}
	return list
}
