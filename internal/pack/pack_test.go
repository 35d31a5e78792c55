package pack

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/testschema"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestHostileTrees checks that a hook with anything but plain files under plain names is refused,
// and that others of the pack are not.
func TestHostileTrees(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf("644 guard/f%d=x", i))
	}
	for _, test := range []struct {
		want  string
		lines []string
	}{
		{`"scripts/run" is a link`, []string{"link guard/scripts/run=/etc/passwd"}},
		{`"scripts/run" is a link`, []string{"link guard/scripts/run=../HOOK.md"}},
		{`"scripts" is a link`, []string{"link guard/scripts=/tmp"}},
		{`"x" is a submodule`, []string{"module guard/x="}},
		{`the name ".." is not a name`, []string{"644 guard/../x=1"}},
		{`the name "." is not a name`, []string{"644 guard/./x=1"}},
		{`the name ".git" belongs to git`, []string{"644 guard/.git/config=x"}},
		{`the name ".GIT" belongs to git`, []string{"644 guard/.GIT/config=x"}},
		{`the name "git~1" belongs to git`, []string{"644 guard/git~1/config=x"}},
		{`the name ".g\u200cit" contains invisible characters`, []string{"644 guard/.g\u200cit/config=x"}},
		{`the name ".git." ends in a dot or a space`, []string{"644 guard/.git./config=x"}},
		{`the name ".git " ends in a dot or a space`, []string{"644 guard/.git /config=x"}},
		{`contains a character that paths use`, []string{`644 guard/a\..\..\x=1`}},
		{`contains a character that paths use`, []string{"644 guard/HOOK.md:stream=1"}},
		{`contains a character that paths use`, []string{"644 guard/C:=1"}},
		{`contains invisible characters`, []string{"644 guard/a\nb=1"}},
		{`contains invisible characters`, []string{"644 guard/\x1b[2Ja=1"}},
		{`contains invisible characters`, []string{"644 guard/a\u202eb=1"}},
		{`contains invisible characters`, []string{"644 guard/\xff=1"}},
		{`is a device on Windows`, []string{"644 guard/aux.txt=1"}},
		{`is a device on Windows`, []string{"644 guard/COM1=1"}},
		{`is a device on Windows`, []string{"644 guard/com\u00b9.log=1"}},
		{`is a device on Windows`, []string{"644 guard/NUL .tar.gz=1"}},
		{`"scripts/RUN" and "scripts/run" are one name`, []string{"644 guard/scripts/RUN=1", "755 guard/scripts/run=2"}},
		{`are one name`, []string{"644 guard/Scripts/run=1", "755 guard/scripts/other=2"}},
		{`are one name`, []string{"644 guard/caf\u00e9=1", "644 guard/cafe\u0301=2"}},
		{`are one name`, []string{"644 guard/\u017f=1", "644 guard/s=2"}},
		{`are one name`, []string{"644 guard/a=1", "644 guard/a=2"}},
		{`are one name`, []string{"644 guard/a=1", "644 guard/a/b=2"}},
		{`more than 256 files`, many},
	} {
		u.commit("main", append(test.lines, "644 guard/HOOK.md="+hookText, "644 fine/HOOK.md="+hookText)...)
		p, err := u.open("")
		if err != nil {
			t.Errorf("%q: %v", test.lines, err)
			continue
		}
		if f, err := p.Read("guard"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %+v, %v, want %s", test.lines[0], f, err, test.want)
		}
		if f, err := p.Read("fine"); err != nil || len(f.Files) != 1 {
			t.Errorf("%q: the hook next to it: %v", test.lines, err)
		}
		p.Close()
	}
	u.nothingLeft()
}

// TestHostileNames checks that a folder of another name than a hook's is not installed, and that
// only a folder is a hook.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	u.commit("main", "644 Guard/HOOK.md="+hookText, "644 guard/HOOK.md="+hookText, "644 ../HOOK.md="+hookText, "644 .git/HOOK.md="+hookText, "644 a\nb/HOOK.md="+hookText,
		"644 -rf/HOOK.md="+hookText, "link link=guard", "module module=", "link linked/HOOK.md=../guard/HOOK.md", "644 con/HOOK.md="+hookText, "644 caf\u00e9/HOOK.md="+hookText)
	p, err := u.open("")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, name := range append(p.Hooks, "..", "../guard", "link", "module", "linked", "none", "") {
		if _, err := p.Read(name); (err == nil) != (name == "guard") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestWhereHooksAre checks where the hooks of a source are, in git and in a folder.
func TestWhereHooksAre(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	for _, test := range []struct{ files, dir, want string }{
		{"guard/HOOK.md other/HOOK.md README.md empty/x", "", "guard other in ."},
		{".agents/hooks/guard/HOOK.md other/HOOK.md", "", "guard in .agents/hooks"},
		{".agents/hooks/guard/HOOK.md other/HOOK.md", ".", "other in ."},
		{".agents/hooks/guard/HOOK.md sub/dir/other/HOOK.md", "sub/dir", "other in sub/dir"},
		{"sub/dir/other/HOOK.md sub/dir/more/HOOK.md", "./sub/dir/other/", "other in sub/dir"},
		{"guard/HOOK.md packs/x/HOOK.md", "pack:packs", "x in packs"},
		{"guard/HOOK.md packs/x/HOOK.md", "pack:none", "has no folder"},
		{"README.md", "", ".: no folder in it has a HOOK.md"},
		{".agents/hooks/README.md other/HOOK.md", "", ".agents/hooks: no folder in it has a HOOK.md"},
		{"guard/HOOK.md", "..", "is not a name"},
		{"guard/HOOK.md", "/etc", "is not a name"},
		{"guard/HOOK.md", "a/../..", "is not a name"},
		{"guard/HOOK.md", "pack:../..", "is not a name"},
		{"guard/HOOK.md", "none", `has no folder "none"`},
		{"guard/HOOK.md", "guard/HOOK.md", `it is a file`},
	} {
		dir := t.TempDir()
		var lines []string
		asked := test.dir
		if in, is := strings.CutPrefix(test.dir, "pack:"); is {
			asked = ""
			text := fmt.Sprintf("pack.toml=name = \"p\"\nhooks = %q\n", in)
			lines = append(lines, "644 "+text)
			put(t, dir, text)
		}
		for file := range strings.FieldsSeq(test.files) {
			lines = append(lines, "644 "+file+"=x")
			put(t, dir, file+"=x")
		}
		u.commit("main", lines...)
		for _, source := range []Source{u.source(), {Text: dir}} {
			p, err := Open(t.Context(), u.gitFor(), source, "", asked)
			got := fmt.Sprint(err)
			if err == nil {
				got = strings.Join(p.Hooks, " ") + " in " + path.Dir(p.Folder(p.Hooks[0]))
				p.Close()
			}
			if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
				t.Errorf("%s, %q, %s: %s", test.files, test.dir, source.Text, got)
			}
		}
	}
	u.nothingLeft()
}

// TestFolderLinks checks that nothing is read through links in a folder.
func TestFolderLinks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	put(t, outside, "guard/HOOK.md="+hookText, "pack.toml=name = \"outside\"\n")
	if err := os.Symlink(outside, filepath.Join(dir, "hooks")); err != nil {
		t.Skipf("symbolic links cannot be created: %v", err)
	}
	put(t, dir, "guard->"+filepath.Join(outside, "guard"), "own/HOOK.md->"+filepath.Join(outside, "guard", "HOOK.md"), "fine/HOOK.md="+hookText, "inner/HOOK.md="+hookText, "inner/x->HOOK.md")
	p, err := Open(t.Context(), Git{}, Source{Text: dir}, "", "")
	if err != nil || len(p.Hooks) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := p.Read("inner"); err == nil || !strings.Contains(err.Error(), "is a link") {
		t.Errorf("a link in a hook: %v", err)
	}
	for _, in := range []string{"hooks", "hooks/guard", "guard"} {
		if p, err := Open(t.Context(), Git{}, Source{Text: dir}, "", in); err == nil {
			t.Errorf("%s: %+v", in, p)
		}
	}
	put(t, dir, "pack.toml->"+filepath.Join(outside, "pack.toml"))
	if p, err := Open(t.Context(), Git{}, Source{Text: dir}, "", ""); err == nil {
		t.Errorf("pack.toml: %+v", p)
	}
}

// TestManifest reads pack.toml.
func TestManifest(t *testing.T) {
	for text, want := range map[string]string{
		"name = \"p\"\ndescription = \"d\"\nfuture = 1\n": "p d [future]",
		"":                        "  []",
		"name = 1":                "incompatible types",
		"name = \"a\\u202eb\"":    "without invisible characters",
		"description = \"a\\nb\"": "without invisible characters",
		"[":                       "line 1",
		"x = '" + strings.Repeat("x", maxManifest): "larger than the limit",
	} {
		dir := t.TempDir()
		put(t, dir, "guard/HOOK.md="+hookText)
		if err := os.WriteFile(filepath.Join(dir, "pack.toml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := Open(t.Context(), Git{}, Source{Text: dir}, "", "")
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%s %s %v", p.Name, p.Description, p.Unknown)
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%.30q: %s, want %s", text, got, want)
		}
	}
}

// TestOwnManifest checks the pack.toml of this repository against the schema.
func TestOwnManifest(t *testing.T) {
	schema, _ := spec.Schema("pack")
	var data map[string]any
	if _, err := toml.DecodeFile(filepath.Join("..", "..", "pack.toml"), &data); err != nil {
		t.Fatal(err)
	}
	if wrong, err := testschema.Check(schema, data); wrong != "" || err != nil {
		t.Errorf("%s, %v", wrong, err)
	}
	p, err := Open(t.Context(), Git{}, Source{Text: filepath.Join("..", "..")}, "", "")
	if err != nil || len(p.Unknown) > 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, name := range p.Hooks {
		if _, err := p.Read(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHostileLock checks that a lock can neither name a place outside the directory of hooks, nor
// make update read what is outside its project.
func TestHostileLock(t *testing.T) {
	root := t.TempDir()
	entry := func(changes ...string) string {
		h := map[string]string{"source": "https://host/x", "folder": "hooks/guard", "digest": strings.Repeat("a", 64), "name": "guard", "version": "1"}
		for _, c := range changes {
			key, value, _ := strings.Cut(c, "=")
			h[key] = value
		}
		text := fmt.Sprintf("version = %s\n[hooks.%q]\nsource = %q\nfolder = %q\ndigest = %q\n", h["version"], h["name"], h["source"], h["folder"], h["digest"])
		for _, key := range []string{"ref", "commit", "extra"} {
			if value, is := h[key]; is {
				text += fmt.Sprintf("%s = %q\n", key, value)
			}
		}
		return text
	}
	if _, err := parseLock([]byte(entry("ref=v1", "commit="+strings.Repeat("b", 40)))); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		entry("name=../../x", "folder=../../x"), entry("name=..", "folder=.."), entry("name=a/b", "folder=a/b"), entry("name=Guard", "folder=Guard"), entry("name=.git", "folder=.git"), entry("name="),
		entry("folder=../guard"), entry("folder=/guard"), entry("folder=a/../../guard"), entry("folder=other"), entry("folder=a\\guard"), entry("folder="),
		entry("source=--upload-pack=x"), entry("source=ext::sh"), entry("source=http://host/x"), entry("source="), entry("source=ssh://-oProxyCommand=x/y"),
		entry("ref=--upload-pack=x"), entry("ref=a b"), entry("commit=--x"), entry("commit=abc"), entry("digest=x"), entry("digest="), entry("extra=x"), entry("version=2"), entry("version=0"),
		"hooks = 1", "[", "", "version = 1\n[other]\n", "version = 1\n[hooks.a]\n[hooks.a]\n", "x = " + strings.Repeat("[", 100_000), "x = " + strings.Repeat("{a=", 100_000),
	} {
		if l, err := parseLock([]byte(text)); err == nil {
			t.Errorf("%q: %+v", text, l)
		}
	}
	at := &Place{Scope: discovery.ProjectScope, Hooks: filepath.Join(root, "p", ".agents", "hooks")}
	put(t, root, "p/packs/x=", "secret/x=", "p/.agents/hooks/")
	put(t, root, "p/out->../secret")
	user := &Place{Scope: discovery.UserScope, Hooks: filepath.Join(root, "home", ".config", "agents", "hooks")}
	for source, allowed := range map[string]bool{
		"https://host/x": true, "git@host:x": true, "./packs": true, "packs/../packs": true,
		"/etc": false, "../secret": false, "./out": false, "./out/deeper": false, "packs/../../secret": false, "file:///etc": false, filepath.Join(root, "secret"): false,
		filepath.Join(root, "p", "packs"): false, "//host/share": false, "/": false, "./packs/../../p/packs": false,
	} {
		if s, err := at.SourceOf(source); (err == nil) != allowed {
			t.Errorf("%s: %+v, %v", source, s, err)
		}
		if _, err := user.SourceOf(source); err != nil {
			t.Errorf("the user's lock: %s: %v", source, err)
		}
	}
}
