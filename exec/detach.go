package exec

import "os"

// Detach starts the program path with args and env in its own session, in the
// root directory, with stdin and with none of the caller's streams. It returns
// once the program has started, and does not wait for it, but reaps it if it
// ends before the caller does. The error of a failed start is a *StartError.
func Detach(path string, args, env []string, stdin *os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	p, err := startPatiently(persist, func() (process, error) {
		return startDetached(path, args, env, [3]*os.File{stdin, null, null})
	})
	if err != nil {
		return startError(&Command{Path: path, Args: args, Env: env}, err)
	}
	go p.disown()
	return nil
}
