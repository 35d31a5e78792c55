package install

// Switch is a setting that disables hooks.
type Switch struct {
	Path     string // of the file, as in Place
	Home     string
	Keys     []string
	Bad      any    // the value that disables: a boolean, or a text that a list holds
	Variable string // an environment variable instead of a file
}

// strict says what makes an agent ignore a whole settings file.
type strict struct {
	JSON   bool     // comments and trailing commas
	NoMark bool     // a byte-order mark
	NoURL  bool     // "://" in a command
	NoTop  []string // top-level keys
	Events []string // any other event
	Keys   []string // any other key of an entry
	Types  []string // any other type of an entry
}
