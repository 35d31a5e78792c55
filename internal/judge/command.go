package judge

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// placeholderModel is replaced by the name of the model in a command.
const placeholderModel = "{model}"

// Command returns the command of hooks.toml for a model, beginning with the path of its
// program. unused reports that the command does not name the model.
func Command(command []string, model string) (words []string, unused bool, err error) {
	words, unused, err = substitute(command, model)
	if err != nil {
		return nil, false, err
	}
	path, err := exec.LookPath(words[0])
	if err == nil && !filepath.IsAbs(path) {
		err = exec.ErrDot
	}
	var failed *exec.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return nil, false, fmt.Errorf("the program %q cannot be run: %w; programs of the project do not count", words[0], err)
	}
	words[0] = path
	return words, unused, nil
}

// substitute puts the name of a model into a command. A hook chooses the name, so that it
// must neither be an option nor mean anything to a shell.
func substitute(command []string, model string) (words []string, unused bool, err error) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	named := slices.ContainsFunc(command, func(w string) bool { return strings.Contains(w, placeholderModel) })
	switch {
	case named && model == "":
		return nil, false, fmt.Errorf("the command has %s, and no model is named", placeholderModel)
	case len(model) > 200:
		return nil, false, fmt.Errorf("the name of the model has %d characters; at most 200", len(model))
	case model != "" && (!strings.Contains(letters, model[:1]) || strings.Trim(model, letters+"._:/@+-[]") != ""):
		return nil, false, fmt.Errorf("%q is not the name of a model: letters, digits and ._:/@+-[], with a letter or digit first", model)
	}
	for _, w := range command {
		words = append(words, strings.ReplaceAll(w, placeholderModel, model))
	}
	return words, model != "" && !named, nil
}
