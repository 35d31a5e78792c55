package testtree

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrNoLinks means that this system makes no link of the kind.
var ErrNoLinks = errors.New("this system makes no such link")

// Link makes a link: a symbolic one if the account may, otherwise a junction. Wine makes neither,
// so that a link of the system below takes their place, which looks like a junction; it must lead to
// a directory.
func Link(target, at string) error {
	err := os.Symlink(target, at)
	if _, missing := os.Lstat(at); err == nil && missing == nil {
		return nil
	}
	full := target
	if !filepath.IsAbs(full) {
		full = filepath.Join(filepath.Dir(at), target)
	}
	if info, err := os.Stat(full); err != nil || !info.IsDir() {
		return ErrNoLinks
	}
	_ = exec.Command("cmd", "/c", "mklink", "/J", at, full).Run()
	if _, err := os.Lstat(at); err == nil {
		return nil
	}
	return linkBelow(full, at)
}

func linkBelow(target, at string) error {
	if os.Getenv("WINEPREFIX") == "" {
		return ErrNoLinks
	}
	if err := runBelow("ln", "-sn", below(target), below(at)); err != nil {
		return err
	}
	return await(at, true)
}

// runBelow starts a program of the system below Wine, whose end Wine does not report.
func runBelow(name string, args ...string) error {
	p, err := os.StartProcess(`Z:\usr\bin\`+name, append([]string{name}, args...), &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
	if err == nil {
		p.Release()
	}
	return err
}

func await(path string, exists bool) error {
	for range 1000 {
		if _, err := os.Lstat(path); (err == nil) == exists {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return ErrNoLinks
}

// Unlink removes a link of Link. Under Wine, os.Remove would remove the directory to which it leads.
func Unlink(at string) {
	if os.Getenv("WINEPREFIX") == "" {
		os.Remove(at)
		return
	}
	if runBelow("rm", "-f", below(at)) == nil {
		_ = await(at, false)
	}
}

// below returns the path that the system below Wine has for a file.
func below(path string) string {
	return os.Getenv("WINEPREFIX") + "/dosdevices/" + strings.ToLower(path[:2]) + filepath.ToSlash(path[2:])
}
