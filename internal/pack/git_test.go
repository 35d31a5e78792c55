package pack

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFetch fetches each kind of ref, and reads files byte for byte.
func TestFetch(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	first := u.commit("main", "644 .agents/hooks/guard/HOOK.md="+hookText, "755 .agents/hooks/guard/scripts/run=one\r\n")
	u.git("", "tag", "-a", "-m", "x", "v1", first)
	second := u.commit("main", "644 .agents/hooks/guard/HOOK.md="+hookText, "755 .agents/hooks/guard/scripts/run=two")
	u.commit("both", "644 .agents/hooks/guard/HOOK.md="+hookText)
	u.git("", "tag", "both", first)
	for ref, want := range map[string]string{
		"": "two", "HEAD": "two", "main": "two", "v1": "one\r\n", first: "one\r\n", second: "two", "refs/tags/v1": "one\r\n", "refs/heads/main": "two", "refs/tags/both": "one\r\n",
	} {
		p, err := u.open(ref)
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		if id := map[string]string{"two": second}[want]; id != "" && p.Commit != id || id == "" && p.Commit != first {
			t.Errorf("%s: commit %s", ref, p.Commit)
		}
		f, err := p.Read("guard")
		if err != nil {
			t.Fatal(err)
		}
		if file, _ := f.Find("scripts/run"); string(file.Data) != want || !file.Executable {
			t.Errorf("%s: %+v", ref, file)
		}
		if f.Name != "guard" || len(f.Files) != 2 || f.Files[1].Path != "scripts/run" {
			t.Errorf("%s: %+v", ref, f)
		}
		p.Close()
	}
	for ref, want := range map[string]string{
		"none": `no branch or tag "none"`, "both": "write refs/heads/both or refs/tags/both", first[:12]: "a commit needs all its digits", strings.Repeat("0", 40): "git fetch:",
		u.blob("x"): "git cat-file",
	} {
		if p, err := u.open(ref); err == nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "no commit in the repository") {
			t.Errorf("%s: %v, %v", ref, p, err)
		}
	}
	u.nothingLeft()
}

// TestFetchSHA256 fetches from a repository with longer identifiers.
func TestFetchSHA256(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	if err := os.RemoveAll(u.dir); err != nil {
		t.Fatal(err)
	}
	u.git("", "init", "--quiet", "--bare", "--object-format=sha256", "--initial-branch=main", u.dir)
	id := u.commit("main", "644 guard/HOOK.md="+hookText)
	for _, ref := range []string{"", id} {
		p, err := u.open(ref)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Read("guard"); err != nil || p.Commit != id || len(id) != 64 {
			t.Errorf("%s: %v", p.Commit, err)
		}
		p.Close()
	}
}

// TestRefsAndSourcesAreNotOptions checks what cannot be a source or a ref.
func TestRefsAndSourcesAreNotOptions(t *testing.T) {
	for _, ref := range []string{
		"--upload-pack=touch /tmp/x", "-x", " ", "a b", "a:b", "+main:refs/x", "a..b", "a@{1}", "@", "a~1", "a^", "a*", "a?", "a[", `a\b`, "a//b", "/a", "a/", ".a", "a/.b", "a.lock", "a.", "a\nb", "a\x00", "a\u202eb", "\xff",
	} {
		if err := checkRef(ref); err == nil && ref != "+main:refs/x" {
			t.Errorf("the ref %q is accepted", ref)
		}
		if err := checkRef("+main:refs/x"); err == nil {
			t.Error("a refspec is accepted")
		}
	}
	for _, ref := range []string{"", "main", "v1.0", "feature/a-b", "refs/tags/v1", "HEAD", "ünï", strings.Repeat("a", 40)} {
		if err := checkRef(ref); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{
		"", " ", "-x", "--upload-pack=touch x", "http://host/x", "git://host/x", "ftp://host/x", "HTTPS://host/x", "ext::sh -c touch% x", "ext::x://y", "fd::7", "git::https://host/x", "https::x",
		"https://user@host/x", "https://user:secret@host/x", "ssh://git:secret@host/x", "ssh://-oProxyCommand=x/y", "ssh://a@-oProxyCommand=x/y", "ssh://-x@host/y", "https://-x/y", "https:///x", "ssh:///x",
		"-oProxyCommand=x:y", "git@-oProxyCommand=x:y", "-a@host:y", "host:-x", "host:", ":x", "a@b@c:x", "file://host/x", "https://host/x?y", "https://host/x#y", "https://host?@other/x", "https://host#@other/x", `https://host\@other/x`, "ssh://%2doProxyCommand=x/y",
		"https://host/x\ny", "https://host/\u202ex", "https://host/\x1b[2J", "folder\x00", "https://host/\u200bx",
	} {
		if s, err := ParseSource(text, t.TempDir()); err == nil {
			t.Errorf("the source %q is accepted: %+v", text, s)
		}
	}
	dir := t.TempDir()
	for text, want := range map[string]Source{
		"https://host/a/b.git": {"https://host/a/b.git", true}, "https://host:8443/a": {"https://host:8443/a", true}, "ssh://git@host:22/a": {"ssh://git@host:22/a", true},
		"git@host:a/b.git": {"git@host:a/b.git", true}, "host:a": {"host:a", true}, "file:///a/b": {"file:///a/b", true},
		"a/b": {filepath.Join(dir, "a", "b"), false}, ".": {dir, false}, "./a:b": {filepath.Join(dir, "a:b"), false}, "../x": {filepath.Join(filepath.Dir(dir), "x"), false},
	} {
		if got, err := ParseSource(text, dir); got != want || err != nil {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// TestUsersConfiguration checks that the user's configuration for hosts counts, and that nothing in it, in the
// pack or in the environment runs a program or changes a byte.
func TestUsersConfiguration(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	t.Parallel()
	u := newUpstream(t)
	home := filepath.Dir(u.dir)
	mark := filepath.Join(home, "ran")
	u.commit("main", "644 guard/HOOK.md="+hookText, "644 guard/data=$Id$ one\ntwo\n", "644 .gitattributes=* filter=evil ident text eol=crlf diff=evil merge=evil working-tree-encoding=UTF-16\n",
		"644 .gitmodules=[submodule \"x\"]\n\tpath = x\n\turl = ext::touch "+mark+"\n\tupdate = !touch "+mark+"\n", "module x=")
	script := "#!/bin/sh\ntouch " + mark + "\n"
	put(t, home, "hooks/reference-transaction="+script, "hooks/post-checkout="+script, "hooks/post-merge="+script, "template/hooks/reference-transaction="+script, "evil="+script)
	for _, file := range []string{"hooks/reference-transaction", "hooks/post-checkout", "hooks/post-merge", "template/hooks/reference-transaction", "evil"} {
		if err := os.Chmod(filepath.Join(home, file), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, home, ".gitconfig=[core]\n\thooksPath = "+home+"/hooks\n\tfsmonitor = "+home+"/evil\n\taskPass = "+home+"/evil\n\tautocrlf = true\n[init]\n\ttemplateDir = "+home+"/template\n"+
		"[filter \"evil\"]\n\tsmudge = "+home+"/evil\n\tclean = "+home+"/evil\n\tprocess = "+home+"/evil\n\trequired = true\n[diff \"evil\"]\n\ttextconv = "+home+"/evil\n"+
		"[protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n[fetch]\n\trecurseSubmodules = true\n[submodule]\n\trecurse = true\n"+
		"[url \"file://"+filepath.Dir(u.dir)+"/\"]\n\tinsteadOf = https://packs.example/\n[url \"ext::"+home+"/evil \"]\n\tinsteadOf = https://evil.example/\n")
	git := u.gitFor()
	git.Environ = append(git.Environ, "GIT_SSH_COMMAND="+home+"/evil", "GIT_ASKPASS="+home+"/evil", "SSH_ASKPASS="+home+"/evil", "GIT_TEMPLATE_DIR="+home+"/template", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0="+home+"/hooks", "GIT_EXTERNAL_DIFF="+home+"/evil", "GIT_ALTERNATE_OBJECT_DIRECTORIES="+u.dir+"/objects", "GIT_DIR="+home, "GIT_EXEC_PATH="+home, "GIT_PROXY_COMMAND="+home+"/evil")
	p, err := Open(t.Context(), git, Source{"https://packs.example/up.git", true}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	f, err := p.Read("guard")
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := f.Find("data"); string(data.Data) != "$Id$ one\ntwo\n" {
		t.Errorf("the file is %q", data.Data)
	}
	for _, url := range []string{"https://evil.example/x", "ssh://evil.invalid/x"} {
		if p, err := Open(t.Context(), git, Source{url, true}, "", ""); err == nil {
			t.Errorf("%s: %+v", url, p)
		} else {
			t.Log(err)
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program ran")
	}
}

// TestAlternates checks that a repository's alternates add nothing but what its server reads
// itself, and none to what was fetched.
func TestAlternates(t *testing.T) {
	t.Parallel()
	u, secret := newUpstream(t), newUpstream(t)
	hidden := secret.commit("main", "644 guard/HOOK.md="+hookText)
	u.commit("main", "644 other/HOOK.md="+hookText)
	put(t, u.dir, "objects/info/alternates="+secret.dir+"/objects\n", "objects/info/http-alternates=https://127.0.0.1:1/\n")
	r, err := u.gitFor().fetch(t.Context(), u.source(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(r.dir)
	if _, err := os.Stat(filepath.Join(r.git, "objects", "info", "alternates")); err == nil {
		t.Error("the copy has alternates")
	}
	if out, err := r.run(t.Context(), "cat-file", "-t", hidden); err == nil {
		t.Errorf("the copy has another repository's commit: %s", out)
	}
}

// TestDumbServer checks that files of a web server are not a repository: with that protocol, a server
// could name other servers.
func TestDumbServer(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	u.commit("main", "644 guard/HOOK.md="+hookText)
	u.git("", "update-server-info")
	server, git := u.serve(http.FileServer(http.Dir(filepath.Dir(u.dir))))
	if p, err := Open(t.Context(), git, Source{server + "/up.git", true}, "", ""); err == nil || !strings.Contains(err.Error(), "dumb http") {
		t.Errorf("%v, %v", p, err)
	}
	u.nothingLeft()
}

// serve starts a server with TLS, whose certificate the returned Git accepts by a setting of the
// user.
func (u *upstream) serve(handler http.Handler) (url string, git Git) {
	u.t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = nil
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	u.t.Cleanup(server.Close)
	home := filepath.Dir(u.dir)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	put(u.t, home, "ca.pem="+string(certificate), ".gitconfig=[http]\n\tsslCAInfo = "+filepath.ToSlash(home)+"/ca.pem\n")
	return server.URL, u.gitFor()
}

// backend returns a handler that runs git http-backend on the repositories next to the upstream.
func (u *upstream) backend() http.Handler {
	path := filepath.Join(u.git("", "--exec-path"), "git-http-backend")
	if _, err := os.Stat(path); err != nil {
		u.t.Skip("git http-backend is not installed")
	}
	return &cgi.Handler{Path: path, Env: append([]string{"GIT_PROJECT_ROOT=" + filepath.Dir(u.dir), "GIT_HTTP_EXPORT_ALL=1"}, u.env...), InheritEnv: []string{"GIT_PROTOCOL"}}
}

// TestHTTPS fetches over https. A certificate that the user does not accept, a redirect to http,
// and a server that asks for a password are errors, without a prompt.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	id := u.commit("main", "644 guard/HOOK.md="+hookText)
	backend := u.backend()
	plainServer := httptest.NewServer(backend)
	defer plainServer.Close()
	server, git := u.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/moved/"):
			http.Redirect(w, r, strings.TrimPrefix(r.URL.Path, "/moved")+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
		case strings.HasPrefix(r.URL.Path, "/plain/"):
			http.Redirect(w, r, plainServer.URL+strings.TrimPrefix(r.URL.Path, "/plain")+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
		case strings.HasPrefix(r.URL.Path, "/file/"):
			w.Header().Set("Location", "file://"+filepath.Dir(u.dir)+strings.TrimPrefix(r.URL.Path, "/file"))
			w.WriteHeader(http.StatusMovedPermanently)
		case strings.HasPrefix(r.URL.Path, "/private/"):
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
		default:
			backend.ServeHTTP(w, r)
		}
	}))
	for _, at := range []string{"/up.git", "/moved/up.git"} {
		for _, ref := range []string{"", id} {
			p, err := Open(t.Context(), git, Source{server + at, true}, ref, "")
			if err != nil {
				t.Fatalf("%s %s: %v", at, ref, err)
			}
			if _, err := p.Read("guard"); err != nil || p.Commit != id {
				t.Errorf("%s: %v", p.Commit, err)
			}
			p.Close()
		}
	}
	for at, want := range map[string]string{"/plain/up.git": "http", "/file/up.git": "file", "/private/up.git": "could not read Username", "/none.git": "not found"} {
		began := time.Now()
		if p, err := Open(t.Context(), git, Source{server + at, true}, "", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", at, p, err)
		} else if time.Since(began) > 20*time.Second {
			t.Errorf("%s: it took %s", at, time.Since(began))
		}
	}
	put(t, filepath.Dir(u.dir), ".gitconfig=")
	if p, err := Open(t.Context(), git, Source{server + "/up.git", true}, "", ""); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("another certificate: %v, %v", p, err)
	}
	u.nothingLeft()
}

// TestNoAnswer checks that a server that never answers, or never ends, is given up, with all
// processes.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	u.commit("main", "644 guard/HOOK.md="+hookText)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	endless, git := u.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		_, err := fmt.Fprint(w, "001e# service=git-upload-pack\n0000")
		for id := strings.Repeat("0123456789", 4); err == nil; {
			_, err = fmt.Fprintf(w, "0040%s refs/heads/x123456\n", id)
		}
	}))
	git.Timeout = time.Second
	for _, source := range []string{"https://" + silent.Addr().String() + "/x", "ssh://" + silent.Addr().String() + "/x", endless + "/x"} {
		began := time.Now()
		p, err := Open(t.Context(), git, Source{source, true}, "", "")
		if err == nil || !strings.Contains(err.Error(), "no answer within 1s") && !strings.Contains(err.Error(), "git ls-remote") {
			t.Errorf("%s: %v, %v", source, p, err)
		}
		if time.Since(began) > 10*time.Second {
			t.Errorf("%s: it took %s", source, time.Since(began))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	git.Timeout = time.Minute
	began := time.Now()
	if _, err := Open(ctx, git, Source{"https://" + silent.Addr().String() + "/x", true}, "", ""); err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("canceled after %s: %v", time.Since(began), err)
	}
	u.nothingLeft()
}

// TestTooLarge checks the limits of a commit: bytes to fetch, bytes of a file that compresses
// well, and a directory that contains itself many times.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	noise := make([]byte, 8<<20)
	for i, x := 0, uint64(1); i < len(noise); i++ {
		x = x*6364136223846793005 + 1442695040888963407
		noise[i] = byte(x >> 56)
	}
	u.commit("noise", "644 guard/HOOK.md="+hookText, "644 data="+string(noise))
	git := u.gitFor()
	git.Max = 1 << 20
	if p, err := Open(t.Context(), git, u.source(), "noise", ""); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("too much to fetch: %+v, %v", p, err)
	}
	u.commit("main", "644 guard/HOOK.md="+hookText, "644 guard/zeros="+strings.Repeat("\x00", 17<<20), "644 fine/HOOK.md="+hookText)
	p, err := u.open("main")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Read("guard"); err == nil || !strings.Contains(err.Error(), "larger than the limit") {
		t.Errorf("a large file: %v", err)
	}
	if _, err := p.Read("fine"); err != nil {
		t.Errorf("the hook next to it: %v", err)
	}
	p.Close()
	tree := u.tree("644 file=x")
	for range 12 {
		var lines []string
		for i := range 10 {
			lines = append(lines, fmt.Sprintf("dir d%d=%s", i, tree))
		}
		tree = u.tree(lines...)
	}
	u.commit("bomb", "644 guard/HOOK.md="+hookText, "dir guard/bomb="+tree, "dir bomb="+tree)
	began := time.Now()
	if p, err = u.open("bomb"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Read("guard"); err == nil || !strings.Contains(err.Error(), "more than 256 files") || time.Since(began) > 20*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	p.Close()
	u.nothingLeft()
}

// TestSSH fetches from sshd.
func TestSSH(t *testing.T) {
	sshd := "/usr/sbin/sshd"
	if runtime.GOOS != "linux" {
		t.Skip("the configuration is for OpenSSH on Linux")
	}
	if _, err := os.Stat(sshd); err != nil {
		if os.Getenv("LONG_TESTS") != "" {
			t.Fatal("sshd is not installed")
		}
		t.Skip("sshd is not installed")
	}
	t.Parallel()
	u := newUpstream(t)
	id := u.commit("main", "644 guard/HOOK.md="+hookText)
	home := filepath.Dir(u.dir)
	for _, key := range []string{"host", "client"} {
		if out, err := osexec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(home, key)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	port := freePort(t)
	address, _ := os.ReadFile(filepath.Join(home, "host.pub"))
	client, _ := os.ReadFile(filepath.Join(home, "client.pub"))
	put(t, home, "authorized="+string(client), "known=[127.0.0.1]:"+port+" "+string(address), "unknown=",
		"sshd_config=ListenAddress 127.0.0.1:"+port+"\nHostKey "+home+"/host\nAuthorizedKeysFile "+home+"/authorized\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n",
		".gitconfig=[core]\n\tsshCommand = ssh -F none -i "+home+"/client -o UserKnownHostsFile="+home+"/known\n")
	if os.Geteuid() == 0 {
		_ = os.MkdirAll("/run/sshd", 0o755)
	}
	server := osexec.Command(sshd, "-D", "-e", "-f", filepath.Join(home, "sshd_config"))
	log, err := os.Create(filepath.Join(home, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	server.Stderr = log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill(); _ = server.Wait() }()
	for tries := 0; ; tries++ {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			break
		} else if text, _ := os.ReadFile(log.Name()); tries == 200 {
			t.Fatalf("sshd does not answer: %s", text)
		}
		time.Sleep(50 * time.Millisecond)
	}
	url := "ssh://127.0.0.1:" + port + u.dir
	for _, ref := range []string{"", id} {
		p, err := Open(t.Context(), u.gitFor(), Source{url, true}, ref, "")
		if err != nil {
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("%q: %v\n%s", ref, err, text)
		}
		if _, err := p.Read("guard"); err != nil || p.Commit != id {
			t.Errorf("%s: %v", p.Commit, err)
		}
		p.Close()
	}
	// An unknown host is an error, not a question.
	put(t, home, ".gitconfig=[core]\n\tsshCommand = ssh -F none -i "+home+"/client -o UserKnownHostsFile="+home+"/unknown\n")
	if p, err := Open(t.Context(), u.gitFor(), Source{url, true}, "", ""); err == nil || !strings.Contains(err.Error(), "Host key verification failed") {
		t.Errorf("an unknown host: %v, %v", p, err)
	}
	u.nothingLeft()
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
