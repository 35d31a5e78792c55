package agent

import (
	"path/filepath"
	"strings"
)

// extensions returns the extensions of Gemini CLI, and of Qwen Code, which has them from it: each is a
// folder, and a file says where one is switched off.
func extensions(m *Machine, folder, program string) (all []Plugin) {
	for _, file := range m.Below(folder, "", "hooks/hooks.json") {
		dir := filepath.Dir(filepath.Dir(file))
		id := filepath.Base(dir)
		off := ""
		overrides, _ := valueAt(valueAt(m.Decoded(folder+"/extension-enablement.json", ""), id), "overrides").([]any)
		for _, one := range overrides { // later ones replace earlier ones
			text, _ := one.(string)
			place, isOff := strings.CutPrefix(text, "!")
			if !covers(filepath.ToSlash(place), filepath.ToSlash(m.Project)+"/") {
				continue
			}
			off = ""
			if isOff {
				off = filepath.Join(filepath.Dir(dir), "extension-enablement.json")
			}
		}
		all = append(all, Plugin{id, dir, program + " extensions update " + id, program + " extensions uninstall " + id, off})
	}
	return all
}

// covers reports whether a place of an override, a folder or with /* what is below it, too, contains a
// folder.
func covers(place, folder string) bool {
	if above, ok := strings.CutSuffix(place, "*"); ok {
		return strings.HasPrefix(folder, above)
	}
	return folder == strings.TrimSuffix(place, "/")+"/"
}
