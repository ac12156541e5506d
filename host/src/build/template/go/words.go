// Package export_example_words_tools has the tools of wit/words.wit: every build makes the other
// packages of it.
package export_example_words_tools

import (
	"strings"
	"unicode/utf8"

	. "go.bytecodealliance.org/pkg/wit/types"
	. "wit_component/example_words_tools"
)

func Count(text string) Counts {
	words := strings.Fields(text)
	characters := utf8.RuneCountInString(strings.Join(words, ""))
	return Counts{Words: uint32(len(words)), Characters: uint32(characters)}
}

func Repeat(text string, times uint32) Result[string, string] {
	if text == "" {
		return Err[string, string]("there is nothing to repeat; give a text")
	}
	return Ok[string, string](strings.TrimSuffix(strings.Repeat(text+" ", int(times)), " "))
}
