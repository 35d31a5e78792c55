package agent

// Flaw is a way in which a settings file differs from what its program documents. A set of flaws
// is their sum.
type Flaw uint32

// The flaws. e2e -flaws tries each of them in the running programs.
const (
	Comment       Flaw = 1 << iota // in JSON
	TrailingComma                  // in JSON
	ByteMark                       // a byte-order mark
	Repeated                       // a key that leads to hooks occurs twice
	UnknownTop                     // a key of the document that is not in Flaws.Top, or in Flaws.NoTop
	HooksForm                      // the value of "hooks" is not an object with a list for each event
	UnknownEvent                   // an event that is not one of the program's
	EventForm                      // the value of an event is not a list
	GroupForm                      // an element is not an object
	NoGroup                        // an element is not a group with a list of handlers
	HooksOfGroup                   // the handlers of a group are not a list
	MatcherForm                    // a matcher is not a text
	MatcherNull
	HandlerForm // a handler is not an object
	UnknownKey  // a key of a handler that is not in Flaws.Keys
	NoType      // a handler without a type
	UnknownType // a type that is not in Flaws.Types
	NoCommand   // a command that is missing or not a text
	NoMember    // a member that another type needs is missing or not a text
	Timeout     // a timeout that is not a number, or negative
	TimeoutZero
	TimeoutPart // a timeout with a fraction
	CommandURL  // "://" in a command
)

// Loss is how much of a file a program does not read because of a flaw.
type Loss int

// The losses.
const (
	LosesNothing Loss = iota
	LosesPart         // the value that has the flaw
	LosesEvent        // every entry of the event
	LosesFile         // every entry of the file, and mostly its other settings
)

// Flaws says what a program loses by which flaw. It reads a file with any other flaw as if it had
// none; if Tried is "", that is not known.
type Flaws struct {
	File, Event, Part Flaw
	NoTop             []string // top-level keys
	Top               []string // any other top-level key of a JSON file
	Keys              []string // any other key of an entry
	Types             []string // any other type of an entry
	// Tried is the version in which the flaws were tried, with the date; "" if they follow the
	// documentation.
	Tried string
}

// Loss returns what is lost by a flaw.
func (f *Flaws) Loss(flaw Flaw) Loss {
	switch {
	case f.File&flaw != 0:
		return LosesFile
	case f.Event&flaw != 0:
		return LosesEvent
	case f.Part&flaw != 0:
		return LosesPart
	}
	return LosesNothing
}
