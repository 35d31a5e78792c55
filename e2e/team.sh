# The story of a team with guards: publish, subscribe, review, a new guard a week later, an emergency stop, an
# auditor's question, a person who edits a guard, CI that refuses it and then passes, leaving. `go run . -team` runs it as root in
# namespaces of its own: five accounts, a bare repository over ssh on loopback, Claude Code and Codex unmodified.
set -euo pipefail
folder=$1 clients=$2 claude=${3##*/} codex=${4##*/}

tell() { printf '\n== %s\n' "$*"; }
fail() { echo "team: $*" >&2; exit 1; }
# has TEXT PATTERN: the text has a line that matches.
has() { grep -Eq -- "$2" <<<"$1" || fail "no line matches $2 in: $1"; }
# refuses STATUS COMMAND ...: it ends with this status; its output is in $out.
refuses() { local want=$1 status=0; shift; out=$("$@" 2>&1) || status=$?; [ "$status" = "$want" ] || fail "$*: status $status, want $want: $out"; }

# A machine of its own.
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir /mnt/etc /mnt/machine /mnt/clients
cp -a /etc/. /mnt/etc && chmod 755 /mnt /mnt/etc && rm -rf /mnt/etc/agents /mnt/etc/claude-code /mnt/etc/codex
cp -r "$folder/e2e" "$folder/agent-hooks" "$folder/action" /mnt/machine && chmod 755 /mnt/machine/*
mount --bind "$clients" /mnt/clients
mount --bind /mnt/etc /etc
for dir in /home /opt /run /srv /root /var/log /var/tmp /usr/local; do mount -t tmpfs -o mode=755 tmpfs $dir; done
mount -t tmpfs -o mode=1777 tmpfs /tmp
[ "$(readlink -f /var/run)" = /run ] || fail '/var/run is not /run'
mkdir -p /run/sshd /usr/local/bin /usr/local/lib && cd /
export HOME=/root
ip link set lo up
hostname office
echo '127.0.0.1 office' >>/etc/hosts
install -m 755 /mnt/machine/agent-hooks /usr/local/bin/agent-hooks
printf '#!/bin/sh\ntouch ~/deployed\n' >/usr/local/bin/deploy
printf '#!/bin/sh\ntouch ~/wiped\n' >/usr/local/bin/wipe
printf '#!/bin/sh\ntouch ~/mailed\n' >/usr/local/bin/mailer
chmod 755 /usr/local/bin/*
/mnt/machine/e2e team-services /var/log/guards.log &
chmod 755 /var/log

people="ann ben cem dee eva"
for name in $people git; do
	useradd -m -k /dev/null -s /bin/bash -p '*' $name
	mkdir -p /home/$name/.ssh && chmod 700 /home/$name/.ssh
done
ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/story
printf '%s\n' "HostKey /etc/ssh/story" 'ListenAddress 127.0.0.1' 'Port 22' 'UsePAM no' 'PasswordAuthentication no' 'StrictModes no' >/etc/ssh/story.conf
/usr/sbin/sshd -f /etc/ssh/story.conf
mkdir -p /root/.ssh && chmod 700 /root/.ssh
for home in /root /home/ann /home/ben /home/cem /home/dee; do
	ssh-keygen -q -t ed25519 -N '' -f $home/.ssh/id_ed25519
	cat $home/.ssh/id_ed25519.pub >>/home/git/.ssh/authorized_keys
	echo "127.0.0.1 $(cut -d' ' -f1,2 /etc/ssh/story.pub)" >$home/.ssh/known_hosts
done
for name in $people git; do chown -R $name: /home/$name; chmod 711 /home/$name; done

# as NAME COMMAND ...: in the person's account, in ~/work.
as() {
	local name=$1; shift
	runuser -u $name -- env -i HOME=/home/$name USER=$name SHELL=/bin/bash LANG=C.UTF-8 TERM=dumb TMPDIR=/tmp \
		PATH=/usr/local/bin:/mnt/clients/node-24/node_modules/.bin:/usr/bin:/bin \
		ANTHROPIC_BASE_URL=http://127.0.0.1:8080 ANTHROPIC_API_KEY=dummy DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 DISABLE_AUTOUPDATER=1 \
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 SCRIPTED_KEY=dummy bash -c 'mkdir -p ~/work && cd ~/work && "$@"' bash "$@"
}
sh_as() { local name=$1; shift; as $name bash -euc "$*"; }
for name in $people; do
	sh_as $name 'git config --global user.name $USER; git config --global user.email $USER@office; git config --global init.defaultBranch main; git init -q'
	sh_as $name "mkdir -p ~/.claude ~/.codex; echo '{\"hasCompletedOnboarding\": true, \"projects\": {\"/home/$name/work\": {\"hasTrustDialogAccepted\": true}}}' >~/.claude.json
echo '{\"cleanupPeriodDays\": 30}' >~/.claude/settings.json
printf '%s\n' 'model = \"gpt-5.5\"' 'model_provider = \"scripted\"' 'approval_policy = \"never\"' 'sandbox_mode = \"danger-full-access\"' 'check_for_update_on_startup = false' '[model_providers.scripted]' 'name = \"scripted\"' 'base_url = \"http://127.0.0.1:8080/v1\"' 'env_key = \"SCRIPTED_KEY\"' 'wire_api = \"responses\"' 'request_max_retries = 0' '[analytics]' 'enabled = false' '[feedback]' 'enabled = false' '[otel]' 'exporter = \"none\"' '[projects.\"/home/$name/work\"]' 'trust_level = \"trusted\"' >~/.codex/config.toml"
done
# session NAME AGENT COMMAND: in an unmodified agent, the model calls the shell with the command.
session() {
	curl -sf -d "[{\"shell\": \"$3\"}, {\"say\": \"all done\"}]" http://127.0.0.1:8080/begin
	case $2 in
	claude) as $1 /mnt/clients/$claude/node_modules/.bin/claude -p --model claude-sonnet-4-5 'PROMPT-TOKEN please begin' --allowedTools Bash ;;
	codex) as $1 /mnt/clients/$codex/node_modules/.bin/codex exec --skip-git-repo-check 'PROMPT-TOKEN please begin' ;;
	esac >/var/log/session.out 2>&1 </dev/null || { cat /var/log/session.out; fail "$2 of $1 ended with an error"; }
}
blocks() { rm -f /home/$1/$4; session "$1" "$2" "$3"; [ ! -e /home/$1/$4 ] || fail "$2 of $1 ran $3"; echo "   $2 of $1 does not run: $3"; }
runs() { rm -f /home/$1/$4; session "$1" "$2" "$3"; [ -e /home/$1/$4 ] || { cat /var/log/session.out; fail "$2 of $1 did not run $3"; }; echo "   $2 of $1 runs: $3"; }

tell 'Nobody has guards, and nothing is different'
runs ben claude deploy deployed
[ ! -e /home/ben/.local/state/agent-hooks ] || fail 'something was written'

tell 'ann publishes a pack'
as git git init -q --bare -b main /home/git/guards.git
sh_as ann 'agent-hooks new no-deploy --project . --deny ^deploy >/dev/null 2>&1; git add -A; git commit -qm "Add no-deploy"; git tag v1
git remote add origin git@127.0.0.1:guards.git; git push -q origin main v1'
pack=git@127.0.0.1:guards.git

tell 'root enforces one guard of another pack for everybody'
as git git init -q --bare -b main /home/git/company.git
sh_as ann "git clone -q git@127.0.0.1:company.git ~/company 2>/dev/null; cd ~/company; agent-hooks new no-wipe --project . --deny ^wipe >/dev/null 2>&1; git add -A; git commit -qm 'Add no-wipe'; git tag v1; git push -q origin HEAD:main v1"
umask 077
agent-hooks add --scope managed --all git@127.0.0.1:company.git --yes | tail -n 1
PATH=$PATH:/mnt/clients/$claude/node_modules/.bin:/mnt/clients/$codex/node_modules/.bin agent-hooks install --managed --all | cut -c1-90
umask 022

tell 'ben reviews and subscribes on his terminal; cem and dee use the script; who is nobody is asked by nobody'
refuses 1 as cem agent-hooks add --all $pack
has "$out" 'nobody can be asked'
has "$(printf 'y\n' | as ben script -qec "agent-hooks add --all $pack" /dev/null)" '1 hook installed'
for name in cem dee; do as $name agent-hooks add --all $pack --yes >/dev/null; done
for name in ben cem dee; do as $name agent-hooks install claude-code >/dev/null; done
blocks ben claude deploy deployed
blocks dee claude deploy deployed
blocks ben claude wipe wiped
blocks cem codex wipe wiped
runs ben claude mailer mailed

tell 'a week later: a new guard, in a trial, and then for good'
sh_as ann 'agent-hooks new no-mail --project . --deny ^mailer >/dev/null 2>&1; printf "[observe]\nno-mail = 2099-01-01\n" >pack.toml; git add -A; git commit -qm "Add no-mail"; git tag v2; git push -q origin main v2'
refuses 1 as ben agent-hooks update --dry-run
has "$out" 'hook no-mail: new: it only observes until 2099-01-01'
as ben agent-hooks update --yes >/dev/null
runs ben claude mailer mailed
has "$(as ben agent-hooks log --hook no-mail)" 'would deny'
sh_as ann 'rm pack.toml; git add -A; git commit -qm "End the trial"; git tag v3; git push -q origin main v3'
as ben agent-hooks update --yes >/dev/null
blocks ben claude mailer mailed

tell 'an emergency: no-deploy blocks what it must not; ben pauses it, ann takes it back, root observes no-wipe'
as ben agent-hooks pause no-deploy --until 2h
runs ben claude deploy deployed
has "$(cat /var/log/session.out; as ben agent-hooks doctor claude-code 2>&1 || true)" 'paused: no-deploy'
refuses 64 as ben agent-hooks pause no-wipe --until 2h
as ben agent-hooks pause no-deploy --until now
blocks ben claude deploy deployed
sh_as ann 'git rm -rq .agents/hooks/no-deploy; git commit -qm "Take no-deploy back"; git push -q origin main'
as ben agent-hooks update --yes >/dev/null
runs ben claude deploy deployed
as cem agent-hooks update no-deploy --ref v1 --yes >/dev/null
printf '[[hooks.override]]\nname = "no-wipe"\nobserve = true\nuntil = 2099-01-01\n' >/etc/agents/hooks.toml
runs cem codex wipe wiped
rm /etc/agents/hooks.toml
blocks cem codex wipe wiped

tell "eva asks who was blocked, after cem has removed his log"
rm -rf /home/cem/.local/state/agent-hooks/runs.jsonl
digest=$(sed -n 's/^digest = "\(.*\)"/\1/p' /etc/agents/hooks.lock)
chgrp eva /var/log/guards.log
found=$(as eva grep '"hook":"no-wipe"' /var/log/guards.log | grep '"user":"cem"')
has "$found" '"outcome":"deny","decision":"none".*"would":"deny"|"would":"deny"'
has "$found" "\"agent\":\"codex\".*\"session\":\"[^\"]+\",\"tool\":\"[^\"]+\",.*\"user\":\"cem\",\"host\":\"office\",\"digest\":\"$digest\",\"source\":\"git@127.0.0.1:company.git\""
refuses 1 as cem bash -c 'echo >/var/log/guards.log'
echo "   $(tail -n 1 <<<"$found" | cut -c1-200) …"

tell 'dee edits a guard of the pack; it is found, and the managed one holds'
sh_as dee 'sed -i s/decision:.deny/decision:\ allow/ ~/.config/agents/hooks/no-deploy/HOOK.md'
refuses 1 as dee agent-hooks update --check
has "$out" 'no-deploy.*edited'
refuses 1 as dee bash -c 'echo x >/etc/agents/hooks/no-wipe/HOOK.md'
blocks dee claude wipe wiped
as dee agent-hooks update --check --scope managed >/dev/null

tell 'CI refuses a change that removes a guard, and passes it once the guard is back'
as git git init -q --bare -b main /home/git/web.git
sh_as ann "git clone -q git@127.0.0.1:web.git ~/web 2>/dev/null; cd ~/web; agent-hooks add --scope project $pack --ref v3 no-deploy --yes >/dev/null 2>&1; printf '[policy]\nrequire = [\"no-deploy\"]\n' >.agents/hooks.toml; git add -A; git commit -qm 'Add guards'; git push -q origin main"
# ci STATUS ...: the action's steps, as the action runs them, on the branch change; cem's account is the runner's.
ci() {
	local want="$*" statuses= step status
	as cem bash -euc 'rm -rf ~/runner; mkdir ~/runner; git clone -q -b change git@127.0.0.1:web.git ~/runner/web'
	for step in /mnt/machine/action/*; do
		status=0
		as cem bash -c 'cd ~/runner/web && PROJECT=. JUNIT=out.xml BASE=$(git rev-parse origin/main) GITHUB_WORKSPACE=$PWD GITHUB_OUTPUT=~/runner/output bash --noprofile --norc -eo pipefail "$1"' bash "$step" >/var/log/step.out 2>&1 || status=$?
		statuses="$statuses $status"
		sed "s/^/   ${step##*-}: /" /var/log/step.out
	done
	[ "${statuses# }" = "$want" ] || fail "the steps of the action end with$statuses, want $want"
}
sh_as ann 'cd ~/web; git checkout -qb change; echo "<h1>web</h1>" >index.html; rm -r .agents/hooks/no-deploy; git add -A; git commit -qm "Tidy up"; git push -q origin change'
ci 0 1 0
sh_as ann 'cd ~/web; git checkout -q main -- .agents; sed -i "s/decision: deny/decision: allow/" .agents/hooks/no-deploy/HOOK.md; git commit -qam "Put it back, tamed"; git push -q origin change'
ci 0 1 1
sh_as ann 'cd ~/web; git checkout -q main -- .agents; git commit -qm "Put it back"; git push -q origin change'
ci 0 0 0
sh_as cem 'grep -q "failures=\"0\"" ~/runner/web/out.xml; rm -r ~/runner'

tell 'ben leaves'
as ben agent-hooks uninstall --all --purge >/dev/null
[ "$(cat /home/ben/.claude/settings.json)" = '{"cleanupPeriodDays": 30}' ] || fail 'the settings are not as before'
[ ! -e /home/ben/.local/state/agent-hooks ] || fail 'records are left'
as ben agent-hooks remove no-mail >/dev/null 2>&1
[ -z "$(ls /home/ben/.config/agents/hooks)" ] || fail 'hooks are left'
runs ben claude mailer mailed
blocks ben claude wipe wiped
agent-hooks uninstall --managed --all >/dev/null
agent-hooks remove --scope managed no-wipe >/dev/null
runs ben claude wipe wiped
tell 'the story holds'
