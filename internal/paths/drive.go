package paths

import "strings"

// OnDrive returns the path that Windows opens for a file named from dir, with slashes and, if it can
// be told, with its drive. It also reads the spellings of other programs there: /c/x and
// /cygdrive/c/x of Git Bash, /mnt/c/x of WSL, and /c:/x of URIs. The names of streams (x::$DATA) and the
// dots and spaces at the end of a name, which Windows ignores, are removed.
func OnDrive(file, dir string) string {
	file, dir = strings.ReplaceAll(file, `\`, "/"), strings.ReplaceAll(dir, `\`, "/")
	if rest, ok := strings.CutPrefix(file, "//?/"); ok || strings.HasPrefix(file, "//./") {
		file = file[4:]
		if ok && len(rest) > 4 && strings.EqualFold(rest[:4], "UNC/") {
			file = "//" + rest[4:]
		}
	}
	if strings.HasPrefix(file, "///") {
		file = "/" + strings.TrimLeft(file, "/")
	}
	if strings.HasPrefix(file, "//") { // a share, of which X$ is a drive
		parts := strings.SplitN(file[2:], "/", 3)
		if len(parts) < 2 || len(parts[1]) != 2 || parts[1][1] != '$' || !isLetter(parts[1][0]) {
			return "//" + opened(file[2:])
		}
		file = parts[1][:1] + ":/" + strings.Join(parts[2:], "")
	}
	if strings.HasPrefix(file, "/") {
		file = ofRoot(file, dir)
	}
	drive, rest := cutDrive(file)
	switch {
	case drive == "":
		return opened(file)
	case strings.HasPrefix(rest, "/"):
	default: // c:x is relative to the directory of the drive
		if known, at := cutDrive(dir); known == drive {
			rest = strings.TrimRight(at, "/") + "/" + rest
		} else {
			rest = "/" + rest
		}
	}
	return drive + opened(rest)
}

// ofRoot reads a path that begins with one slash.
func ofRoot(file, dir string) string {
	if drive, _ := cutDrive(file[1:]); drive != "" {
		return file[1:]
	}
	inner := file
	for _, mounts := range []string{"/cygdrive", "/mnt"} {
		if rest, ok := strings.CutPrefix(file, mounts+"/"); ok {
			inner = "/" + rest
		}
	}
	if len(inner) >= 2 && isLetter(inner[1]) && (len(inner) == 2 || inner[2] == '/') {
		return inner[1:2] + ":/" + strings.TrimPrefix(inner[2:], "/")
	}
	drive, _ := cutDrive(dir)
	return drive + file
}

// cutDrive separates the drive, in upper case, from a path.
func cutDrive(file string) (drive, rest string) {
	if len(file) < 2 || file[1] != ':' || !isLetter(file[0]) {
		return "", file
	}
	return strings.ToUpper(file[:2]), file[2:]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// opened removes from each name what Windows ignores.
func opened(file string) string {
	names := strings.Split(file, "/")
	for i, name := range names {
		if strings.Contains(name, "[") { // a set of a glob
			continue
		}
		name, _, _ = strings.Cut(name, ":")
		if name != "." && name != ".." {
			name = strings.TrimRight(name, ". ")
		}
		names[i] = name
	}
	return strings.Join(names, "/")
}
