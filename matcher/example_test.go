package matcher_test

import (
	"fmt"
	"log"

	"github.com/agent-hooks/agent-hooks/matcher"
)

func Example() {
	m, err := matcher.Compile("Shell", `^rm\b`)
	if err != nil {
		log.Fatal(err)
	}
	call := func(command string) matcher.Subject {
		return matcher.Subject{
			Own:    []string{"Bash"},
			Names:  []string{"Bash", "Shell"},
			Values: []string{command},
			Text:   `{"command": "` + command + `"}`,
		}
	}
	fmt.Printf("%+v\n", m.Match(call("rm -r build")))
	fmt.Printf("%+v\n", m.Match(call("ls")))
	// Output:
	// {Matched:true Failed: Warning: Guessed: GuessedInput:false Found:rm -r build Unknown: Passed: Err:<nil>}
	// {Matched:false Failed:pattern Warning: Guessed: GuessedInput:false Found: Unknown: Passed: Err:<nil>}
}

// An undecidable input counts as matched, with a warning.
func ExampleMatcher_Match() {
	m, err := matcher.Compile("Shell", "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", m.Match(matcher.Subject{NamesUnknown: "the event has no tool_name"}))
	// Output:
	// {Matched:true Failed: Warning:the event has no tool_name Guessed: GuessedInput:false Found: Unknown: Passed: Err:<nil>}
}

func ExampleCompile() {
	_, err := matcher.Compile("", "rm[")
	fmt.Println(err != nil)
	_, err = matcher.Compile("", `(?P<verb>rm|mv) (?P=verb)`) // as in Python
	fmt.Println(err)
	// Output:
	// true
	// <nil>
}

func ExampleDifferences() {
	for _, d := range matcher.Differences(`(?<verb>rm|mv)`) {
		fmt.Println(d.Offset, d.Message)
	}
	// Output:
	// 0 (?<name>…); Python's re requires (?P<name>…)
}
