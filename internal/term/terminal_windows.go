package term

import "golang.org/x/sys/windows"

// understandsEscapes reports whether a console interprets escape sequences. Since Windows 10
// every console does after they are enabled.
func understandsEscapes(console descriptor) bool {
	const wanted = windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	handle := windows.Handle(console.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(handle, &mode); err != nil {
		return false
	}
	return mode&wanted != 0 || windows.SetConsoleMode(handle, mode|wanted) == nil
}
