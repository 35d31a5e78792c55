package yamltext

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Positions converts the positions of a document's nodes to offsets in its text.
type Positions struct {
	text  []byte
	lines []int // the offset of each line; YAML has more line breaks than \n
	runes []int // the offset of each character; nil if each is one byte
	first []int // the number of the first character in each line
}

// NewPositions returns the Positions for the text that was decoded.
func NewPositions(text []byte) *Positions {
	p := &Positions{text: text}
	ascii := len(text) == utf8.RuneCount(text)
	p.begin(0)
	for i, r := range string(text) {
		if !ascii {
			p.runes = append(p.runes, i)
		}
		switch r {
		case '\r':
			if bytes.HasPrefix(text[i+1:], []byte("\n")) {
				continue
			}
			fallthrough
		case '\n', '\u0085', '\u2028', '\u2029':
			p.begin(i + utf8.RuneLen(r))
		}
	}
	return p
}

// begin adds a line that begins at an offset, with the next character.
func (p *Positions) begin(offset int) {
	p.lines = append(p.lines, offset)
	p.first = append(p.first, len(p.runes))
}

// Offset returns the offset of a node, in bytes.
func (p *Positions) Offset(n *yaml.Node) int {
	line := min(max(n.Line, 1), len(p.lines)) - 1
	end := len(p.text)
	if line+1 < len(p.lines) {
		end = p.lines[line+1] - 1
	}
	at := p.lines[line] + max(n.Column, 1) - 1
	if p.runes != nil {
		at = len(p.text)
		if character := p.first[line] + max(n.Column, 1) - 1; character < len(p.runes) {
			at = p.runes[character]
		}
	}
	return min(at, end)
}

// FirstInvalid returns the offset of the first byte that is not UTF-8, or the length of the text.
func FirstInvalid(text []byte) int {
	offset := 0
	for offset < len(text) {
		r, size := utf8.DecodeRune(text[offset:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		offset += size
	}
	return offset
}
