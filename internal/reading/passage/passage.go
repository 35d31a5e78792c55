// Package passage has the texts in which patterns are searched: the commands, pipelines and
// paths of a call, with parts that nobody knows (D78, D92).
package passage

import "strings"

// Passage is a text that is searched for a pattern (D78), in each of its spellings.
type Passage struct {
	Text string // as it is shown; the only spelling if Lines is nil
	// Lines are the spellings, in each of which the pattern is searched.
	Lines []Line
	// Marked are those of Lines in the marked form (D128); nil if there are no others.
	Marked []Line
	// Whole are the spellings that Matcher.Unless compares as a whole; nil for Text.
	Whole []Line
	// Counts is the reason why the passage counts as matched whatever the pattern is;
	// "" if the pattern decides.
	Counts string
	// Moved is the text after the operation, which moves what it names; "" if there is none. A
	// passage does not count if the pattern is found in both.
	Moved string
	// File is the physical path of what is removed, or of a folder that contains it; "" if that is
	// not known, or if nothing may be concluded from it because the text moves something.
	File string
	// Shallow means that only wildcards of the pattern match the unknown parts (D94).
	Shallow bool
}

// Line is a text with unknown parts, in order (D92).
type Line []Part

// Part is a part of a line.
type Part struct {
	Text string // of an unknown part, its source for messages
	Hole Hole
	// Shape is the shape of each of the words of Words; nil for any words.
	Shape Line
	// Stage means that what is unknown is in a stage of a pipeline: it has no |.
	Stage bool
}

// Hole is what an unknown part may be.
type Hole uint8

// The kinds of parts.
const (
	Known        Hole = iota
	Any               // any text
	Unspaced          // any text without white space
	Name              // any text without a slash
	UnspacedName      // any text without white space and slashes
	// Words are any number of words, also none, each after a space.
	Words
	Filename // the name of a file
	Below    // any path of at least one character, below a directory
)

// KnownLine returns a line without unknown parts.
func KnownLine(text string) Line { return Line{{Text: text}} }

// Known returns the text of a line without unknown parts.
func (l Line) Known() (text string, ok bool) {
	if len(l) == 1 && l[0].Hole == Known {
		return l[0].Text, true
	}
	for _, p := range l {
		if p.Hole != Known {
			return "", false
		}
		text += p.Text
	}
	return text, true
}

// Placeholder stands for an unknown part where only wildcards may match it: a
// letter that no pattern has (D94).
const Placeholder = "ꙮ"

// Shown returns a line with a Placeholder for each unknown part.
func (l Line) Shown() string {
	var b strings.Builder
	for _, p := range l {
		switch {
		case p.Hole == Known:
			b.WriteString(p.Text)
		case p.Hole == Words && p.Shape != nil:
			b.WriteString(" " + p.Shape.Shown())
		case p.Hole == Words:
			b.WriteString(" " + Placeholder)
		default:
			b.WriteString(Placeholder)
		}
	}
	return b.String()
}
