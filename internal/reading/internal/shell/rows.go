package shell

// The tables of programs. They are initialized by the linker, so they take no time at the
// start.

// usages are the programs whose operands are known. Those of any other are read and
// written, and may be commands.
var usages = [...]Usage{
	// Text, names, or what the shell does itself.
	{Names: " echo printf true false : expr export declare local readonly typeset read set trap alias test [ [[ tr yes pgrep pkill write-host write-output rem notify-send cowsay figlet say bd claude codex gemini pbcopy wl-copy ", Prose: true},
	{Names: " kill killall pidof sleep seq which where whereis type hash command man help info tldr whatis apropos basename dirname unset shopt umask wait exit return break continue cd chdir pushd popd pwd date id whoami uname unalias ps printenv mktemp ls dir eza exa tree stat file readlink realpath get-command gcm service mkdir "},
	{Names: " su runuser sg ", Values: " -c --command -s --shell -g -G -u -w "},
	{Names: " logger mail mailx mutt ", Reads: " -f --file -a -A --attach ", Prose: true},
	{Names: " tmux ", Runs: true},
	{Names: " ssh env ", Known: true, Runs: true},
	// Readers.
	{Names: " cat bat tac less more nl od xxd hexdump strings md5sum sha1sum sha256sum sha512sum shasum cksum b2sum paste column fold fmt comm cmp source . wc uniq zcat zless open xdg-open mapfile readarray http httpie wall findstr select-string xclip ", All: Reads},
	{Names: " pytest ", All: Reads, Values: " -k -m "},
	{Names: " apt apt-get apt-cache aptitude dpkg rpm yum dnf zypper pacman apk brew port pkg choco scoop winget nix-env ", All: Reads},
	{Names: " base64 base32 basenc ", All: Reads, Values: " -w --wrap -b --break ", Reads: " -i --input ", Writes: " -o --output "},
	{Names: " head tail ", All: Reads, Values: " -n -c --lines --bytes "},
	{Names: " cut ", All: Reads, Values: " -d -f -c -b "},
	{Names: " du df diff ", All: Reads, Values: " -d --max-depth -U -x -X --exclude --label -I --color "},
	{Names: " sort ", All: Reads, Values: " -k -t -S -T --key ", Writes: " -o --output "},
	{Names: " grep egrep fgrep zgrep ggrep ", All: Reads, Text: 1, Given: " -e --regexp -f --file ", Values: " -e --regexp -A -B -C -m -d -D --after-context --before-context --context --max-count --include --exclude --exclude-dir --exclude-from --directories --devices --binary-files --label --group-separator --color ", Reads: " -f --file ", Idle: " -q --quiet -c --count -l --files-with-matches ", Prose: true},
	{Names: " rg ack ", All: Reads, Text: 1, Given: " -e --regexp --match -f --file --files ", Values: " -e --regexp --match -A -B -C -m -d -g -t -T --max-count --glob --type --context --color ", Reads: " -f --file ", Prose: true},
	{Names: " ag ", All: Reads, Text: 1, Values: " -A -B -C -m -G -g --max-count --context --ignore ", Prose: true},
	{Names: " sed gsed ", All: Reads, Text: 1, Given: " -e --expression -f --file ", Values: " -e --expression -l ", Reads: " -f --file ", Edits: " -i --in-place ", Known: true},
	{Names: " awk gawk mawk nawk ", All: Reads, Text: 1, Given: " -f --file ", Values: " -F -v ", Reads: " -f --file "},
	{Names: " jq yq ", All: Reads, Text: 1, Given: " -f --from-file ", Reads: " -f --from-file ", Edits: " -i --in-place --inplace ", Prose: true},
	{Names: " json.tool ", All: Reads, Last: Writes, Values: " --indent "},
	// Writers.
	{Names: " tee ", All: Writes, Keeps: " -a --append ", Known: true},
	{Names: " truncate ", All: Writes, Values: " -s --size ", Reads: " -r --reference ", Known: true},
	{Names: " mkfifo mknod sponge ", All: Writes, Values: " -m --mode "},
	{Names: " touch ", All: Writes, Keeps: " -a ", Values: " -m -t -d --mode --date ", Reads: " -r --reference "},
	{Names: " chmod chown ", All: Writes, Text: 1, Given: " --reference ", Reads: " --reference ", Known: true},
	{Names: " chgrp ", All: Writes, Text: 1, Given: " --reference ", Reads: " --reference "},
	{Names: " cp gcp ", All: Reads, Last: Writes, Keeps: " -a --archive -r -R --recursive ", Values: " -S ", Writes: " -t --target-directory ", Known: true},
	{Names: " install ", All: Reads, Last: Writes, Values: " -m -o -g -S --mode --owner --group ", Writes: " -t --target-directory "},
	{Names: " ln ", All: Reads, Last: Writes, Links: " -s --symbolic ", Writes: " -t --target-directory ", Known: true},
	{Names: " mv gmv ", All: Reads | Removes, Last: Writes, Values: " -S ", Writes: " -t --target-directory ", Known: true},
	{Names: " dd ", Reads: " if= ", Writes: " of= ", Known: true},
	{Names: " rsync scp ", All: Reads, Last: Writes, Values: " -e --rsh --exclude --include --filter -f -i -F -P -o -c -l --chmod --chown ", Reads: " --exclude-from --files-from ", Tree: " --remove-source-files ", Mirror: " --del --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args ", Known: true, Runs: true},
	{Names: " curl ", Values: " -H --header -X --request -A -u --user -e -b --data-raw -m --max-time --connect-timeout --retry -w --write-out -x --proxy --url ", Data: " -d --data --data-ascii --data-binary --data-urlencode --json -F --form ", Reads: " -K --config -T --upload-file --cacert --cert -E --key ", Writes: " -o --output -D --dump-header -c --cookie-jar --output-dir ", Known: true},
	{Names: " wget ", Values: " -U --header --user --password -t -T ", Reads: " -i --input-file ", Writes: " -O --output-document -P --directory-prefix -o ", Known: true},
	{Names: " openssl ", All: Reads | Writes, Values: " -key -inkey -CAkey -signkey ", Writes: " -out -keyout ", Words: true, Known: true},
	{Names: " openssl/pkcs12 ", All: Reads | Writes, Writes: " -out ", Words: true},
	{Names: " tar ", All: Reads | Writes, Tree: " --remove-files ", Known: true},
	{Names: " zip ", All: Reads | Writes, Tree: " -m --move "},
	{Names: " unzip gzip vim vi nano code ", All: Reads | Writes},
	{Names: " mkfs psql mysql mongosh sqlite3 redis-cli ", All: Reads | Writes, Known: true},
	// Removers.
	{Names: " rm grm srm ", All: Removes, Tree: " -r -R --recursive ", Known: true},
	{Names: " unlink rmdir del erase trash trash-put gio/trash ", All: Removes},
	{Names: " shred ", All: Removes | Writes, Values: " -n -s ", Known: true},
	{Names: " rimraf del-cli ", All: Removes | RemovesTree},
	// Git: what no row names has operands that are names.
	{Names: " gh git glab hg svn ", Known: true, Prose: true},
	{Names: " git/add git/diff git/blame git/show git/grep git/hash-object git/cat-file git/archive ", All: Reads},
	{Names: " git/log ", All: Reads, Reads: " -L ", Shows: " -p -u -U -L -W -c --cc --patch --patch-with-raw --patch-with-stat --unified --binary "},
	{Names: " git/commit ", All: Reads, Values: " -m --message -C -c --author --date --fixup --squash -t ", Reads: " -F --file "},
	{Names: " git/rm ", All: Removes, Values: " --pathspec-from-file ", Tree: " -r ", Idle: " --cached -n --dry-run "},
	{Names: " git/mv ", All: Reads | Removes, Last: Writes},
	{Names: " git/checkout git/restore git/reset git/stash git/apply git/am git/init ", All: Writes, Values: " -b -B -m -s --source --message "},
	{Names: " git/clone ", Last: Writes, Values: " -b --branch --depth -o -c -u -j --filter "},
	{Names: " git/clean ", All: Removes, Here: true, Values: " -e --exclude ", Tree: " -d ", Idle: " -n --dry-run "},
	{Names: " git/worktree/remove ", Tree: " -f --force "},
	// Programs that run what their operands name.
	{Names: " sh bash zsh ", All: Reads, Script: " -c ", Known: true, Runs: true},
	{Names: " dash ksh ash fish ", All: Reads, Script: " -c ", Runs: true},
	{Names: " npm pnpm yarn npx bun node deno lerna python python3 pip pip3 pipx uv uvx poetry twine cargo go make mvn gradle gem bundle ruby perl php composer dotnet nuget find shutdown reboot nc ncat docker podman kubectl helm terraform tofu pulumi aws gcloud gsutil az vercel netlify firebase heroku fly wrangler serverless dropdb prisma crontab systemctl launchctl sudo doas eval powershell pwsh ", All: Reads | Writes, Known: true, Runs: true},
}

// prose are options whose argument is a text for people.
const prose = " -m --message --title --body --description --subject --comment --note --notes --reason --text --prompt --pattern --query --grep --search --filter "

// shells have the grammar that this package parses, or a similar one, whose
// differences are syntax errors here. otherShells have other grammars.
var (
	shells      = [...]string{"sh", "bash", "dash", "ash", "rbash", "ksh", "mksh", "zsh"}
	otherShells = [...]string{"fish", "csh", "tcsh", "nu", "elvish", "xonsh", "pwsh", "powershell", "cmd"}
)

// printers are programs whose arguments are only text.
var printers = [...]string{"echo", "printf", "test", "[", ":", "true", "false", "export", "declare", "local", "readonly", "typeset", "su", "runuser", "sg"}

// interpreters are programs that run the program in their input or in a file, with
// the options that have an argument and those that have a program.
var interpreters = [...]struct{ name, values, programs, sub string }{
	{name: "python", values: "WX", programs: "cm"}, {name: "pypy", values: "WX", programs: "cm"},
	{name: "node", values: "rC", programs: "ep"}, {name: "nodejs", values: "rC", programs: "ep"}, {name: "tsx", programs: "ep"}, {name: "ts-node", programs: "ep"},
	{name: "bun", values: "r", programs: "ep", sub: "run"}, {name: "deno", programs: "", sub: "run"},
	{name: "perl", values: "ICDx", programs: "eE"}, {name: "ruby", values: "rICEFKT", programs: "e"}, {name: "php", values: "dczSt", programs: "rBRE"},
	{name: "lua", values: "l", programs: "e"}, {name: "luajit", values: "l", programs: "e"}, {name: "osascript", values: "ls", programs: "e"}, {name: "tclsh"}, {name: "rscript", programs: "e"}, {name: "julia", values: "LpCJ", programs: "eE"}, {name: "groovy", programs: "e"},
}

// wrappers are programs that run the command in their arguments. For an option that is
// not listed, the commands with and without an argument of the option are both read.
var wrappers = [...]wrapper{
	{name: "sudo", short: "C:D:g:h:p:R:r:T:t:U:u:ABbEeHiKklNnPSsVv", long: " --background --preserve-env --login --non-interactive --stdin --shell --set-home --askpass --bell "},
	{name: "doas", short: "C:u:Lns"},
	{name: "env", short: "C:P:S:u:0iv", long: " --ignore-environment --null --debug "},
	{name: "nohup"}, {name: "builtin"}, {name: "busybox"}, {name: "toybox"}, {name: "noglob"}, {name: "nocorrect"}, {name: "unbuffer"},
	{name: "setsid", short: "cfw", long: " --ctty --fork --wait "},
	{name: "nice", short: "n:0123456789"},
	{name: "ionice", short: "c:n:t"},
	{name: "command", short: "p"},
	{name: "exec", short: "a:cl"},
	{name: "time", short: "f:o:apvV", long: " --append --portability --verbose --quiet "},
	{name: "timeout", short: "k:s:v", long: " --foreground --preserve-status --verbose ", skip: 1},
	{name: "gtimeout", short: "k:s:v", long: " --foreground --preserve-status --verbose ", skip: 1},
	{name: "stdbuf", short: "e:i:o:"},
	{name: "chroot", skip: 1},
	{name: "flock", short: "E:w:eFnosux", long: " --nonblock --shared --exclusive --unlock --close --no-fork --verbose ", skip: 1},
	{name: "taskset", short: "acp", skip: 1},
	{name: "chrt", short: "abfiormp", skip: 1},
	{name: "unshare", short: "CTUcfimnpru", long: " --fork --mount --net --pid --user --uts --ipc --map-root-user --map-current-user "},
	{name: "nsenter", short: "t:FaCZ"},
	{name: "systemd-run", short: "E:H:M:p:u:Gdqrt", long: " --user --scope --pty --pipe --wait --quiet --collect --no-block "},
	{name: "systemd-inhibit"},
	{name: "screen", short: "c:e:h:p:r:S:s:t:T:x:adDlLmnOqRuUvwXAi"}, {name: "setpriv"}, {name: "gosu", skip: 1}, {name: "su-exec", skip: 1}, {name: "tini", short: "p:e:gsvw"}, {name: "dumb-init", short: "cvr:"}, {name: "catchsegv"}, {name: "proxychains4", short: "f:q"}, {name: "proxychains", short: "f:q"}, {name: "torsocks"}, {name: "eatmydata"}, {name: "fakeroot", short: "l:s:i:b:uh"}, {name: "wsl", short: "d:u:e", long: " --exec --shell-type "},
	{name: "runuser", short: "G:g:s:u:lm"},
	{name: "pkexec", long: " --disable-internal-agent --keep-cwd "},
	{name: "caffeinate", short: "t:w:dimsu"},
	{name: "strace", short: "E:I:O:P:S:U:X:a:b:e:o:p:s:u:CDTcdfhinqrtvwxyz"},
	{name: "ltrace", short: "e:l:n:o:p:s:u:CLSbcfirtT"},
	{name: "xargs", short: "E:I:J:L:P:R:S:a:d:n:s:0ioprtx", long: " --null --no-run-if-empty --interactive --verbose --exit --open-tty "},
	{name: "watch", short: "n:q:bcdegptwx", long: " --beep --color --differences --errexit --chgexit --no-title --precise ", text: true},
	{name: "ssh", short: "B:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:Q:R:S:W:w:46AaCfGgKkMNnqsTtVvXxYy", skip: 1, text: true},
	{name: "mosh", short: "p:46a", skip: 1, text: true, dashes: true}, {name: "autossh", short: "M:p:i:l:o:46fNTt", skip: 1, text: true},
	{name: "parallel", short: "I:P:S:a:d:j:n:N:X:kmqtuv0", long: " --keep-order --null --verbose --dry-run --progress --bar --line-buffer --ungroup ", text: true},
}

// launchers are wrappers whose options are mostly long, or that have
// subcommands.
var launchers = [...]wrapper{
	{name: "npx", short: "c:p:w:yq", long: " --yes --no --no-install --quiet --ignore-existing --prefer-offline --offline ", value: " --package --workspace --registry --cache --userconfig --loglevel ", texts: " -c --call ", version: true},
	{name: "npm", sub: "exec", short: "c:p:w:yq", long: " --yes --no --workspaces ", value: " --package --workspace --prefix ", texts: " -c --call ", dashes: true, version: true},
	{name: "npm", sub: "x", short: "c:p:w:yq", long: " --yes --no --workspaces ", value: " --package --workspace --prefix ", texts: " -c --call ", dashes: true, version: true},
	{name: "pnpm", sub: "exec", short: "crF:C:", long: " --recursive --parallel --shell-mode ", value: " --filter --dir ", version: true}, {name: "pnpm", sub: "dlx", short: "c", long: " --silent --shell-mode ", value: " --package --allow-build ", version: true}, {name: "pnpx", version: true},
	{name: "yarn", sub: "exec"}, {name: "yarn", sub: "dlx", short: "p:q", value: " --package ", version: true},
	{name: "bunx", long: " --bun --silent ", version: true}, {name: "bun", sub: "x", long: " --bun --silent ", version: true},
	{name: "uv", sub: "tool run", short: "p:w:qv", long: " --isolated --offline --quiet --no-cache ", value: " --from --with --python --index --index-url ", version: true},
	{name: "uv", sub: "run", short: "p:w:mnqv", long: " --isolated --locked --frozen --no-sync --active --no-dev --all-extras --all-groups --dev --exact --no-project --offline --quiet --verbose --no-cache --managed-python ", value: " --with --with-requirements --with-editable --python --extra --group --package --directory --project --env-file --index --index-url --only-group "},
	{name: "uvx", short: "p:w:qv", long: " --isolated --offline --quiet --no-cache ", value: " --from --with --python --index --index-url ", version: true},
	{name: "poetry", sub: "run"}, {name: "pipenv", sub: "run"}, {name: "pdm", sub: "run", short: "p:s"}, {name: "rye", sub: "run"}, {name: "pipx", sub: "run", long: " --no-cache --verbose ", value: " --spec --python --pip-args ", version: true},
	{name: "conda", sub: "run", short: "n:p:v", long: " --no-capture-output --live-stream ", value: " --name --prefix --cwd "}, {name: "mamba", sub: "run", short: "n:p:v", long: " --no-capture-output --live-stream ", value: " --name --prefix --cwd "}, {name: "micromamba", sub: "run", short: "n:p:a:v", value: " --name --prefix --cwd --attach "},
	{name: "bundle", sub: "exec", long: " --keep-file-descriptors "}, {name: "rbenv", sub: "exec"}, {name: "pyenv", sub: "exec"}, {name: "asdf", sub: "exec"}, {name: "mise", sub: "exec", short: "C:c:", value: " --cd ", texts: " -c --command ", dashes: true}, {name: "mise", sub: "x", short: "C:c:", value: " --cd ", texts: " -c --command ", dashes: true}, {name: "direnv", sub: "exec", skip: 1},
	{name: "docker", sub: "compose exec", short: "e:u:w:dT", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "docker", sub: "compose run", short: "e:l:p:u:v:w:dTiP", long: containerLong, value: containerValue, skip: 1, remote: true},
	{name: "docker", sub: "exec", short: "e:u:w:dit", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "podman", sub: "exec", short: "e:u:w:ditl", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "nerdctl", sub: "exec", short: "e:u:w:dit", long: containerLong, value: containerValue, skip: 1, remote: true},
	{name: "docker", sub: "run", short: "a:c:e:h:l:m:p:u:v:w:ditPq", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "podman", sub: "run", short: "a:c:e:h:l:m:p:u:v:w:ditPq", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "nerdctl", sub: "run", short: "a:c:e:h:l:m:p:u:v:w:ditPq", long: containerLong, value: containerValue, skip: 1, remote: true},
	{name: "docker-compose", sub: "exec", short: "e:u:w:dT", long: containerLong, value: containerValue, skip: 1, remote: true}, {name: "docker-compose", sub: "run", short: "e:l:p:u:v:w:dTiP", long: containerLong, value: containerValue, skip: 1, remote: true},
	{name: "kubectl", sub: "exec", short: "c:f:n:itq", long: " --stdin --tty --quiet ", value: " --container --filename --namespace --context ", skip: 1, dashes: true, remote: true}, {name: "oc", sub: "exec", short: "c:f:n:itq", long: " --stdin --tty --quiet ", value: " --container --filename --namespace --context ", skip: 1, dashes: true, remote: true},
	{name: "corepack", version: true}, {name: "volta", sub: "run", value: " --node --npm --pnpm --yarn "}, {name: "fnm", sub: "exec", value: " --using --fnm-dir "}, {name: "nvm", sub: "exec", long: " --silent ", skip: 1}, {name: "lerna", sub: "exec", dashes: true}, {name: "hatch", sub: "run"},
	{name: "nix-shell", texts: " --run --command "}, {name: "nix", sub: "develop", texts: " -c --command "}, {name: "nix", sub: "shell", texts: " -c --command "},
	{name: "xvfb-run", short: "e:f:n:p:s:w:adhl", long: " --auto-servernum --auto-display --listen-tcp ", value: " --error-file --auth-file --server-num --xauth-protocol --server-args --wait "},
	{name: "dbus-run-session", value: " --config-file --dbus-daemon "}, {name: "cross-env", remote: true}, {name: "cross-env-shell", text: true},
	{name: "git", sub: "bisect run"}, {name: "git", sub: "submodule foreach", short: "q", long: " --recursive --quiet ", text: true}, {name: "git", sub: "rebase", texts: " -x --exec "},
	{name: "git", sub: "filter-branch", texts: " --setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter "}, {name: "git", sub: "difftool", texts: " -x --extcmd "}, {name: "git", sub: "grep", texts: " -O --open-files-in-pager "},
	{name: "repeat", skip: 1}, {name: "-"}, // zsh
}

// The long options of docker's subcommands.
const (
	containerLong  = " --rm --privileged --init --interactive --tty --detach --read-only --no-healthcheck --publish-all --sig-proxy --quiet --no-deps --no-tty --build --service-ports --remove-orphans --latest "
	containerValue = " --add-host --annotation --attach --cap-add --cap-drop --cgroupns --cidfile --cpus --device --dns --entrypoint --env --env-file --expose --gpus --group-add --hostname --index --ip --ipc --label --link --log-driver --log-opt --mac-address --memory --mount --name --net --network --network-alias --pid --pids-limit --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --sysctl --tmpfs --ulimit --user --userns --uts --volume --volumes-from --workdir --detach-keys --userns --arch --os "
)

// panes are tmux's commands that run a shell text, or type it.
var panes = [...]wrapper{
	{sub: "new-session", short: "c:e:F:f:n:s:t:x:y:AdDEPX"}, {sub: "new", short: "c:e:F:f:n:s:t:x:y:AdDEPX"}, {sub: "new-window", short: "c:e:F:n:t:abdkPS"}, {sub: "neww", short: "c:e:F:n:t:abdkPS"},
	{sub: "split-window", short: "c:e:F:l:p:t:bdfhIvPZ"}, {sub: "splitw", short: "c:e:F:l:p:t:bdfhIvPZ"}, {sub: "respawn-pane", short: "c:e:t:k"}, {sub: "respawn-window", short: "c:e:t:k"},
	{sub: "run-shell", short: "c:d:t:bC"}, {sub: "run", short: "c:d:t:bC"}, {sub: "display-popup", short: "b:c:d:e:h:s:S:t:T:w:x:y:BCE"}, {sub: "send-keys", short: "c:N:t:FHKlMRX"}, {sub: "send", short: "c:N:t:FHKlMRX"},
}
