// Package cage runs a program where it can do no harm: in its own user,
// mount, network and process namespaces, with loopback as the only network, a
// private /tmp, one writable folder, and nothing else of the machine but what
// programs need to run, read-only.
package cage

// Cage is what a confined program sees of the machine besides the system's
// own folders (/usr, /etc and the like).
type Cage struct {
	Writable string   // the one folder that it may change, at the same path
	Visible  []string // folders and files that it may read, at the same paths
	Moved    []Moved  // what it may read elsewhere
	Args     []string // what to run: arguments for this program itself
}

// Argument makes this program enter a cage: its main calls Enter when it is
// the first argument.
const Argument = "enter-cage"

// Moved is a file or folder that a confined program sees at another path.
type Moved struct{ From, To string }
