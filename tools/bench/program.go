package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// program is a program in identical copies, which the rounds use in turn: the location of a
// file in the page cache makes it a few percent faster or slower, as long as it stays there.
type program []string

func (p program) copy(round int) string { return p[round%len(p)] }

// copiesOf is the number of copies of a program.
const copiesOf = 3

// copied copies a file in pieces of the given size, by default that of cp. The linker's output
// is in the page cache in smaller pieces, and starts more slowly.
func copied(file string, piece int) (program, error) {
	var p program
	for i := range copiesOf {
		from, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		p = append(p, fmt.Sprintf("%s-%d-%d", file, piece, i))
		err = copyTo(p[i], from, piece, 0o755)
		if err := errors.Join(err, from.Close()); err != nil {
			return nil, err
		}
	}
	return p, nil
}

const cpPiece = 128 << 10

func copyTo(name string, from io.Reader, piece int, mode os.FileMode) error {
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, piece))
	return errors.Join(err, to.Close())
}

// goBuild links a program.
func (b *bench) goBuild(name, source string, flags ...string) (string, error) {
	file := filepath.Join(b.dir, name)
	argv := append([]string{"build", "-trimpath", "-buildvcs=false", "-o", file}, flags...)
	cmd := goCommand(append(argv, source)...)
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", source, err, out)
	}
	return file, nil
}

// goCommand returns a go command without the user's flags, such as -race. If the variable were
// empty, the flags of `go env -w` would be used.
func goCommand(argv ...string) *exec.Cmd {
	cmd := exec.Command("go", argv...)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly")
	return cmd
}
