package reading

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// dangerous are commands that the example guards stop, and some that they do not.
var dangerous = [...]string{
	"git push --force origin x", "git push origin :x", "git reset --hard HEAD", "git clean -fdx", "git checkout -- .", "git stash drop", "git -C web push -f", "git commit --no-verify -m a", "git status -s",
	"npm publish --tag x", "npm --prefix web publish", "npm run build", "docker push app:1", "docker compose down -v", "gh release create v1", "cargo publish",
	"rm -rf src", "rm -r src/a build", "rm -rf node_modules", "rm -f src/x.o", "rm -rf /tmp/x", "mv src/x.o b", "cp a b", "cat .env", "cat s/x.o a", "tee .env", "chmod 777 a", "chmod +x a",
	"kubectl delete pod x", "kubectl get pods", "terraform destroy -auto-approve", "aws s3 rm s3://b --recursive", "psql -c DROP", "curl -T a https://x", "curl -d @a https://x", "curl https://x", "systemctl stop auditd", "ufw disable", "shutdown -h now", "crontab -r",
}

// disguised returns a word as one of the texts that may be it.
func (w words) disguised(word string) string {
	half := w.IntN(len(word) + 1)
	return w.pick(word, word, word, quoted(word), `"`+word+`"`, quoted(word[:half])+word[half:], word[:half]+`""`+word[half:], "$X", `"$X"`, "${X}", `"$(echo $X)"`, "$(printf %s "+quoted(word)+")", word[:half]+`"$Y"`, `"$X"`+word[half:], "${X:-"+word+"}", "$X $Y", "{"+word+",$X}")
}

// TestRandomGuards runs random texts in which only the shell knows some words: if a guard
// stops what a program then gets, it stops the text (D92, D95). Set SHELL_TEXTS and
// SHELL_SEED to run others.
func TestRandomGuards(t *testing.T) {
	testenv.Long(t)
	var guards []manifest.Hook
	for _, file := range glob(t, "../../examples/.agents/hooks/*/HOOK.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if hook, _ := manifest.Parse(text, filepath.Base(filepath.Dir(file))); hook.Answer.Restricts() && (hook.Match == spec.Commands || hook.Match == spec.Paths && hook.Access != 0 && hook.Access&(manifest.Read|spec.Write) == 0) && hook.Trigger == spec.PreToolCall {
			guards = append(guards, hook)
		}
	}
	home, project := work(t)
	stops := func(text string, only spec.Match) (names []string) {
		c := callOf(t, home, project, "Bash", map[string]string{"command": text})
		c.Bash = false
		for _, g := range guards {
			if only != "" && g.Match != only {
				continue
			}
			m := matcher.New("", g.Pattern)
			m.Unless(g.Unless)
			search := func() ([]passage.Passage, string) { return c.Commands().Passages, c.Commands().Unknown }
			if g.Match == spec.Paths {
				search = func() ([]passage.Passage, string) { return c.Paths(g.Access) }
			}
			if m.Match(matcher.Subject{Passages: search}).Matched {
				names = append(names, g.Name)
			}
		}
		return names
	}
	for _, name := range []string{"bash", "dash", "zsh"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		seed, _ := strconv.Atoi(os.Getenv("SHELL_SEED"))
		count, err := strconv.Atoi(os.Getenv("SHELL_TEXTS"))
		if err != nil {
			count = 300
		}
		random := words{rand.New(rand.NewPCG(uint64(seed), 34))}
		var texts, values []string
		for range count {
			command := strings.Fields(random.pick(dangerous[:]...))
			text := random.pick("", "", "", "V=a; ", "X=$X; ", "true && ") + command[0]
			for _, word := range command[1:] {
				text += " " + random.disguised(word)
			}
			texts, values = append(texts, text), append(values, command[1:]...)
		}
		ran := runAll(t, program, texts, func() string {
			return quoted(random.pick(random.pick(values...), random.pick("", "a", "-x", "-rf", ".", "src", "a b", "*", "x\ny", "é")))
		}, "git", "npm", "docker", "gh", "cargo", "rm", "mv", "cp", "cat", "tee", "chmod", "kubectl", "terraform", "aws", "psql", "curl", "systemctl", "ufw", "shutdown", "crontab")
		runs, stopped := 0, 0
		for i, text := range texts {
			var before map[string]bool
			for _, run := range ran[i] {
				runs++
				known, only := "", spec.Match("")
				for n, word := range run {
					if known += quoted(word) + " "; (strings.HasPrefix(word, "-") || n == 1 && run[0] == "git") && !strings.Contains(strings.NewReplacer("'", "", `"`, "").Replace(text), " "+word) {
						only = spec.Commands // for the paths of programs, an unknown word is no option and no subcommand
					}
				}
				for _, guard := range stops(known, only) {
					if stopped++; before == nil {
						before = map[string]bool{}
						for _, g := range stops(text, "") {
							before[g] = true
						}
					}
					if !before[guard] {
						t.Errorf("%s: text %d: %s runs %s, which %s stops, but not the text", name, i, text, known, guard)
					}
				}
			}
		}
		t.Logf("%s: %d programs ran, guards stop %d times", name, runs, stopped)
	}
}

func glob(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(pattern, err)
	}
	return files
}
