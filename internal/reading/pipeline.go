package reading

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
)

// Pipelines returns the pipelines of the commands (D93), and the reason why there
// may be others; "" if there are none.
func (c *Commands) Pipelines() (all []passage.Passage, unknown string) {
	if c.Searched {
		for _, text := range c.Texts {
			lines, complete := parts(text)
			all = append(append(all, lines...), joinedParts(text)...)
			if !complete {
				unknown = "the command has too many parts"
			}
		}
	}
	for _, r := range c.read {
		found, err := r.Pipelines()
		unknown = cmp.Or(unknown, cause(err))
		for _, p := range found {
			all = append(all, pipelinePassage(p))
		}
	}
	return all, cmp.Or(c.unread, unknown)
}

// pipelinePassage returns a pipeline as it is searched: each command marked (D92),
// with the base name of its program, and with ¦ in place of | in its words.
func pipelinePassage(stages []shell.Invocation) passage.Passage {
	var texts []string
	var b lineBuilder
	for i, l := range stages {
		l = l.Base()
		l.Words = slices.Clone(l.Words)
		l.Words[0] = strings.ToLower(l.Words[0])
		texts = append(texts, text(l.Words))
		if i > 0 {
			b.text.WriteString(" | ")
		}
		for _, part := range inStage(Marked(l)) {
			b.part(part)
		}
	}
	line := b.done()
	return passage.Passage{Text: strings.Join(texts, " | "), Lines: []passage.Line{line}, Whole: []passage.Line{line}}
}

// inStage returns the line of a command as a stage of a pipeline.
func inStage(line passage.Line) (stage passage.Line) {
	for _, part := range line {
		if part.Hole == passage.Known {
			part.Text = strings.ReplaceAll(part.Text, "|", "¦")
		}
		part.Stage, part.Shape = true, inStage(part.Shape)
		stage = append(stage, part)
	}
	return stage
}

// joinedParts returns the pipelines in a text of PowerShell or cmd, each also from
// each of its commands on.
func joinedParts(source string) (all []passage.Passage) {
	source = strings.NewReplacer("`\r\n", " ", "`\n", " ", "^\r\n", "", "^\n", "", "||", ";", "(", " ", ")", " ", "{", " ", "}", " ", `"`, "", "'", "", "`", "", "^", "").Replace(source)
	for _, part := range strings.FieldsFunc(source, func(r rune) bool { return strings.ContainsRune(";&\r\n", r) }) {
		const most = 20 // the last stages of a long text
		stages := strings.Split(part, "|")
		stages = stages[max(0, len(stages)-most):]
		for i := range stages {
			words := strings.Fields(stages[i])
			if len(words) > 2 && words[1] == "=" { // $result = irm U
				words = words[2:]
			}
			if len(words) > 0 {
				words[0] = strings.ToLower(shell.Invocation{Words: words}.Base().Words[0])
			}
			stages[i] = strings.Join(words, " ")
		}
		for i := range stages[1:] {
			all = append(all, passage.Passage{Text: strings.Join(stages[i:], " | ")})
		}
	}
	return all
}
