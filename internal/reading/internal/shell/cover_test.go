package shell

import (
	"regexp"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// prefixes are what people allow with all arguments, as in Bash(git log:*).
const prefixes = `git status,git log,git diff,git show,git branch,git add,git commit,git checkout,git switch,git restore,git stash,git fetch,git pull,git push,git merge,git rebase,git tag,git remote,git rev-parse,git ls-files,git blame,git grep,git config,git clone,git init,git reset,git rm,git mv,git clean,git worktree,git cherry-pick,git describe,git reflog,git shortlog,git ls-tree,git ls-remote,git cat-file,git merge-base,git rev-list,git for-each-ref,git check-ignore,git submodule,git bisect,git archive,git apply,git,
gh pr view,gh pr list,gh pr diff,gh pr create,gh pr checks,gh issue view,gh issue list,gh run view,gh run list,gh run download,gh api,gh repo view,gh search,gh release list,gh release download,gh workflow list,gh auth status,gh,glab mr view,
npm run test,npm run build,npm run lint,npm run dev,npm run,npm test,npm install,npm ci,npm ls,npm view,npm audit,npm outdated,npm,npx tsc,npx eslint,npx prettier,npx vitest,npx jest,npx playwright test,npx,pnpm install,pnpm test,pnpm run,pnpm build,pnpm lint,pnpm exec,pnpm,yarn test,yarn build,yarn install,yarn run,yarn,bun test,bun run,bun install,bun,node,node --version,deno test,deno fmt,deno run,tsc,eslint,prettier,vitest,jest,
python,python3,python -m pytest,python3 -m pytest,pytest,pip install,pip list,pip show,pip freeze,pip3 install,uv run,uv pip install,uv sync,uv add,uv,poetry run,poetry install,ruff check,ruff format,ruff,black,mypy,isort,flake8,tox,nox,
go test,go build,go vet,go run,go mod tidy,go list,go fmt,go doc,go env,go get,go install,go generate,go version,go,gofmt,golangci-lint run,cargo build,cargo test,cargo check,cargo clippy,cargo fmt,cargo run,cargo doc,cargo tree,cargo bench,cargo,rustc,rustfmt,rustup,
make,make test,make build,make lint,cmake,ninja,mvn test,mvn compile,mvn,./gradlew test,./gradlew build,./gradlew,gradle test,gradle,dotnet build,dotnet test,dotnet run,dotnet,bundle exec rspec,bundle install,gem list,ruby,rake,rspec,rubocop,composer install,composer,php,php artisan,swift build,swift test,xcodebuild,
ls,cat,head,tail,less,more,grep,egrep,rg,ag,ack,find,fd,tree,wc,sort,uniq,cut,tr,sed,sed -n,awk,jq,yq,diff,cmp,comm,file,stat,du,df,pwd,which,whereis,date,echo,printf,env,printenv,whoami,id,uname,hostname,basename,dirname,realpath,readlink,xxd,od,hexdump,strings,md5sum,sha256sum,shasum,base64,column,paste,fold,nl,tac,test,sleep,seq,true,
mkdir,touch,cp,mv,rm,rmdir,ln,chmod,chown,tee,truncate,tar,tar -tf,zip,unzip,gzip,gunzip,dd,rsync,scp,install,
curl,curl -s,wget,http,ping,dig,nslookup,host,nc,ssh,ps,ps aux,top,pgrep,pkill,kill,lsof,netstat,ss,man,info,help,type,command -v,xargs,time,timeout,nice,nohup,watch,parallel,
docker ps,docker logs,docker build,docker run,docker exec,docker images,docker compose up,docker compose ps,docker compose logs,docker compose,docker-compose,docker inspect,docker,podman,kubectl get,kubectl describe,kubectl logs,kubectl apply,kubectl,helm list,helm template,helm,terraform plan,terraform init,terraform validate,terraform fmt,terraform,aws s3 ls,aws sts get-caller-identity,aws,gcloud,az,
brew list,brew info,brew install,brew,apt list,apt-get install,apt-cache search,apt,dpkg -l,rpm -q,systemctl status,systemctl,journalctl,psql,mysql,sqlite3,redis-cli,mongosh,openssl,openssl x509,gpg,code,vim,nano,open,xdg-open,pbcopy,tmux,screen,sudo,su,bash,sh,zsh,bash -c,perl,perl -e,lua,osascript`

// acting returns the acting options of a row, each as words.
func acting(p *program.Program) (all [][]string) {
	for _, name := range p.Acting() {
		switch {
		case name == "*=":
			all = append(all, []string{"SHELL=x"})
		case strings.HasSuffix(name, "="):
			all = append(all, []string{name + "x"})
		case name == "+":
			all = append(all, []string{"+x"})
		default:
			all = append(all, []string{name}, []string{name, "x"}, []string{name, "x", "y"})
			if strings.HasPrefix(name, "--") {
				all = append(all, []string{name + "=x"}, []string{name[:len(name)-1] + "=x"})
			} else if len(name) == 2 && p.Is&program.Words == 0 {
				all = append(all, []string{name + "x"})
			}
		}
	}
	return all
}

// An allow for a program with all arguments grants no option that the table knows to write, remove or run.
func TestAllowNamesOptions(t *testing.T) {
	granted, tried, allows := 0, 0, 0
	for prefix := range strings.SplitSeq(prefixes, ",") {
		prefix = strings.TrimSpace(prefix)
		allows++
		pattern := regexp.MustCompile(`\A` + regexp.QuoteMeta(prefix) + `( .*)?\z`)
		match := matchesText(pattern.MatchString)
		var words []program.Word
		for w := range strings.FieldsSeq(prefix) {
			words = append(words, program.Literal(w))
		}
		_, args, _ := program.Parse(words)
		args.Each(program.Module, func(o *program.Given) { args.Name, args.Options = words[o.Value].Text, nil })
		p, listed := program.Of(args.Name)
		if last := len(args.Options) - 1; !listed || last >= 0 && args.Options[last].At == len(words)-1 && args.Options[last].Value < 0 && p.Has(program.Read|program.Code) {
			continue // the next word may be the argument of tar -tf
		}
		if p.Runs&(program.Script|program.Language) != 0 && len(args.Operands) > 0 {
			continue // it is an argument of the script
		}
		for _, option := range acting(p) {
			text := prefix + " " + strings.Join(option, " ")
			tried++
			if Vouch(text, true, match) == nil {
				granted++
				t.Errorf("Bash(%s:*) grants %s", prefix, text)
			}
		}
	}
	t.Logf("%d allows, %d lines, %d granted", allows, tried, granted)
}

// What an allow grants of a command, and what only a pattern that names it does.
func TestAllowCovers(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		want          bool
	}{
		{`git (status|log|diff)( .*)?`, "git log --oneline -5", true},
		{`git (status|log|diff)( .*)?`, "git diff HEAD~1 -- a.go", true},
		{`git (status|log|diff)( .*)?`, "git diff HEAD^", true},
		{`git (status|log|diff)( .*)?`, "git log -p -3 --format=%h --since='2 days ago' -- src", true},
		{`git (status|log|diff)( .*)?`, "git log --output=F", false},
		{`git (status|log|diff)( .*)?`, "git log --outp F", false},
		{`git (status|log|diff)( .*)?`, "git diff --ext-diff", false},
		{`git (status|log|diff)( .*)?`, "git diff --no-such-option", false},
		{`git log( --output=\S+)?`, "git log --output=F", true},
		{`git( .*)? log( .*)?`, "git -c core.pager=x log", false},
		{`git( .*)? log( .*)?`, "git -c core.fsmonitor=x log", false},
		{`git -c core\.quotepath=off log( .*)?`, "git -c core.quotepath=off log", true},
		{`git (remote|merge|config)( .*)?`, "git remote -v", true},
		{`git (remote|merge|config)( .*)?`, "git merge --no-ff x", true},
		{`git (remote|merge|config)( .*)?`, "git merge -s x y", false},
		{`git reset( .*)?`, "git reset -q a", true},
		{`git reset( .*)?`, "git reset --hard", false},
		{`git format-patch( .*)?`, "git format-patch -o d HEAD", false},
		{`docker compose( .*)?`, "docker compose up -d", true},
		{`docker compose( .*)?`, "docker compose -f F up", false},
		{`sort( .*)?`, "sort -rn a", true},
		{`sort( .*)?`, "sort -ro F a", false},
		{`sort( .*)?`, "sort a -oF", false},
		{`sort( .*)?`, "sort --compress-program=x a", false},
		{`sort( -[a-z]+)*( \S+)?`, "sort -o F", false},
		{`sort -o \S+ \S+`, "sort -o F a", true},
		{`sort (?!-x).*`, "sort -o F", false},
		{`sort -(n|r|o) \S+`, "sort -o F", true},
		{`rg( .*)?`, "rg -n --hidden TODO src", true},
		{`rg( .*)?`, "rg --pre x TODO", false},
		{`rg( .*)?`, "rg --pre=x TODO", false},
		{`grep( .*)?`, "grep -o x a", true},
		{`find( .*)?`, "find . -name '*.go' -type f", true},
		{`find( .*)?`, "find . -delete", false},
		{`find( .*)?`, "find . -fls F", false},
		{`find( .*)?`, "find . -exec find x ';'", false},
		{`find \. -name \S+ -delete`, "find . -name '*.pyc' -delete", true},
		{`tar( .*)?`, "tar -tzf a.tgz", true},
		{`tar( .*)?`, "tar -I x -xf a", false},
		{`tar( .*)?`, "tar --checkpoint-action=exec=x -cf a b", false},
		{`man( .*)?`, "man 3 printf", true},
		{`man( .*)?`, "man -P x ls", false},
		{`sed( .*)?`, "sed -n '1,5p' a", true},
		{`sed( .*)?`, "sed 's/[^/]*$//g; /x/d' a", true},
		{`sed( .*)?`, "sed -n 'w F' a", false},
		{`sed( .*)?`, "sed 's/a/b/w F' a", false},
		{`sed( .*)?`, "sed '1e' a", false},
		{`sed( .*)?`, "sed 's/a/x/e' a", false},
		{`sed( .*)?`, "sed -i s/a/b/ a", false},
		{`sed( .*)?`, "sed -e 's/[/]/w F' a", false},
		{`awk( .*)?`, "awk -F: '{print $1}' a", true},
		{`awk( .*)?`, "awk '$3 > 5 {n++} END {print n}' a", true},
		{`awk( .*)?`, "awk 'BEGIN{system(\"id\")}'", false},
		{`awk( .*)?`, "awk '{print > \"F\"}' a", false},
		{`awk( .*)?`, "awk '{print | \"sh\"}' a", false},
		{`awk( .*)?`, "awk -f F a", false},
		{`xxd( .*)?`, "xxd -l 16 a", true},
		{`xxd( .*)?`, "xxd -r a F", false},
		{`uniq( .*)?`, "uniq -c a", true},
		{`uniq( .*)?`, "uniq a F", false},
		{`less( .*)?`, "less -oF a", false},
		{`less( .*)?`, "less +x a", false},
		{`curl( .*)?`, "curl -fsSL https://x.io", true},
		{`curl( .*)?`, "curl -fsSLo F https://x.io", false},
		{`curl( .*)?`, "curl -O https://x.io/a", false},
		{`curl( .*)?`, "curl -K F", false},
		{`wget( .*)?`, "wget -qO F https://x.io", false},
		{`ssh( .*)?`, "ssh -o ProxyCommand=x h", false},
		{`npm( .*)?`, "npm run test -- --watch", true},
		{`npm( .*)?`, "npm --prefix x run test", false},
		{`go( .*)?`, "go test -run X ./...", true},
		{`go( .*)?`, "go test -exec x ./...", false},
		{`make( .*)?`, "make -j4 test", true},
		{`make( .*)?`, "make test SHELL=x", false},
		{`mkdir( .*)?`, "mkdir -p a/b", true},
		{`touch( .*)?`, "touch a", true},
		{`git commit( .*)?`, "git commit -m x", true},
		{`frobnicate( .*)?`, "frobnicate --output=F", true},
		{`date( .*)?`, "date -s x", false},
	} {
		match := matchesText(regexp.MustCompile(`\A(?:` + strings.ReplaceAll(row.pattern, "(?!-x)", "") + `)\z`).MatchString)
		if err := Vouch(row.text, true, match); (err == nil) != row.want {
			t.Errorf("allow %s, %s: %v", row.pattern, row.text, err)
		}
	}
}
