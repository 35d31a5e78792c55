package judge

import (
	"fmt"
	"slices"
	"strings"
)

// placeholderModel is replaced by the name of the model in a command.
const placeholderModel = "{model}"

// Command returns the command of hooks.toml for a model. unused reports that the
// command does not name the model.
func Command(command []string, model string) (words []string, unused bool, err error) {
	named := slices.ContainsFunc(command, func(w string) bool { return strings.Contains(w, placeholderModel) })
	switch {
	case named && model == "":
		return nil, false, fmt.Errorf("the command has %s, and no model is named", placeholderModel)
	case model != "":
		if err := CheckModel(model); err != nil {
			return nil, false, err
		}
	}
	for _, w := range command {
		words = append(words, strings.ReplaceAll(w, placeholderModel, model))
	}
	return words, model != "" && !named, nil
}

// CheckModel returns why a text is not the name of a model. A hook chooses the
// name, so that it must neither be an option nor mean anything to a shell.
func CheckModel(model string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	switch {
	case model == "", len(model) > 200:
		return fmt.Errorf("the name of the model has %d characters; at most 200", len(model))
	case !strings.Contains(letters, model[:1]), strings.Trim(model, letters+"._:/@+-[]") != "":
		return fmt.Errorf("%q is not the name of a model: letters, digits and ._:/@+-[], with a letter or digit first", model)
	}
	return nil
}
