// Package cage runs a program confined: in its own user, mount, network and process namespaces,
// with loopback as the only network, a private /tmp, one writable folder, and read-only access
// to the files that programs need to run.
package cage

// Cage describes what a confined program can access in addition to the system's own folders
// (/usr, /etc and similar).
type Cage struct {
	Writable string   // the only writable folder, at the same path
	Visible  []string // readable folders and files, at the same paths
	Moved    []Moved  // files at other paths
	Args     []string // arguments for this program itself
	// User is the id of a second account in the cage, also of its group, besides root; 0: none.
	// The system's root can have one, others need /etc/subuid.
	User int
}

// Argument makes this program enter a cage: main calls Enter if it is the first argument.
const Argument = "enter-cage"

// Moved is a file or folder that a confined program sees at another path.
type Moved struct {
	From, To string
	Writable bool
}
