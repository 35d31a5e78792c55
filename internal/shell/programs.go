package shell

import (
	"slices"
	"strings"
)

// Use is a set of what a program does with an operand (D95).
type Use uint8

// The uses, as in metadata.access.
const (
	Reads Use = 1 << iota
	Writes
	Removes
	RemovesTree
)

// Usage is what programs do with their operands. Lists of options begin and end with a
// space.
type Usage struct {
	Names  string // of the programs, in lower case; git/add is a subcommand
	All    Use    // of the operands
	Last   Use    // of the last of several operands, if it differs and no option in Writes is given
	Text   int    // operands before the paths that are text
	Given  string // options that give the text instead
	Values string // options whose values are no paths
	Reads  string // options whose values are files that are read
	Writes string // options whose values are files that are written
	Data   string // options whose values are text, or after @ files that are read
	Tree   string // options with which the operands are removed as trees
	Edits  string // options with which the operands are written
	Idle   string // options with which nothing is used
	Words  bool   // options of several letters follow one hyphen
	Known  bool   // the name in the operands of another program is a command (D98)
	Runs   bool   // it may run the commands that its operands name
	Prose  bool   // its operands are texts, which may look like commands
}

// unlisted is the usage of a program in no row.
var unlisted = Usage{All: Reads | Writes, Runs: true}

// usages are the programs whose operands are known. Those of any other are read and
// written, and may be commands.
var usages = [...]Usage{
	// Text, names, or what the shell does itself.
	{Names: " echo printf true false : expr export declare local readonly typeset read set trap alias test [ [[ tr yes pgrep pkill write-host write-output rem notify-send cowsay figlet say bd claude codex gemini pbcopy xclip wl-copy ", Prose: true},
	{Names: " kill killall pidof sleep seq which where whereis type hash command man help info tldr whatis apropos basename dirname unset shopt umask wait exit return break continue cd chdir pushd popd pwd date id whoami uname unalias ps printenv mktemp ls dir eza exa tree stat file readlink realpath get-command gcm service mkdir "},
	{Names: " su runuser sg ", Values: " -c --command -s --shell -g -G -u -w "},
	{Names: " logger mail mailx mutt ", Reads: " -f --file -a -A --attach ", Prose: true},
	{Names: " tmux ", Runs: true},
	{Names: " ssh env ", Known: true, Runs: true},
	// Readers.
	{Names: " cat bat tac less more nl od xxd hexdump strings md5sum sha1sum sha256sum sha512sum shasum cksum b2sum paste column fold fmt comm cmp source . wc uniq zcat zless open xdg-open mapfile readarray http httpie wall findstr select-string ", All: Reads},
	{Names: " pytest ", All: Reads, Values: " -k -m "},
	{Names: " apt apt-get apt-cache aptitude dpkg rpm yum dnf zypper pacman apk brew port pkg choco scoop winget nix-env ", All: Reads},
	{Names: " base64 base32 basenc ", All: Reads, Values: " -w --wrap -b --break ", Reads: " -i --input ", Writes: " -o --output "},
	{Names: " head tail ", All: Reads, Values: " -n -c --lines --bytes "},
	{Names: " cut ", All: Reads, Values: " -d -f -c -b "},
	{Names: " du df diff ", All: Reads, Values: " -d --max-depth -U -x -X --exclude --label -I --color "},
	{Names: " sort ", All: Reads, Values: " -k -t -S -T --key ", Writes: " -o --output "},
	{Names: " grep egrep fgrep zgrep ggrep rg ag ack ", All: Reads, Text: 1, Given: " -e --regexp -f --file --files ", Values: " -e --regexp -A -B -C -m -d -D -g -t -T --include --exclude --exclude-dir --max-count --glob --type --context --color ", Reads: " -f --file ", Idle: " -q --quiet -c --count -l --files-with-matches ", Prose: true},
	{Names: " sed gsed ", All: Reads, Text: 1, Given: " -e --expression -f --file ", Values: " -e --expression -l ", Reads: " -f --file ", Edits: " -i --in-place ", Known: true},
	{Names: " awk gawk mawk nawk ", All: Reads, Text: 1, Given: " -f --file ", Values: " -F -v ", Reads: " -f --file "},
	{Names: " jq yq ", All: Reads, Text: 1, Given: " -f --from-file ", Reads: " -f --from-file ", Edits: " -i --in-place --inplace ", Prose: true},
	{Names: " json.tool ", All: Reads, Last: Writes, Values: " --indent "},
	// Writers.
	{Names: " tee truncate ", All: Writes, Values: " -s --size ", Reads: " -r --reference ", Known: true},
	{Names: " mkfifo mknod sponge touch ", All: Writes, Values: " -m -t -d --mode --date ", Reads: " -r --reference "},
	{Names: " chmod chown ", All: Writes, Text: 1, Given: " --reference ", Reads: " --reference ", Known: true},
	{Names: " chgrp ", All: Writes, Text: 1, Given: " --reference ", Reads: " --reference "},
	{Names: " cp gcp ", All: Reads, Last: Writes, Values: " -S ", Writes: " -t --target-directory ", Known: true},
	{Names: " install ", All: Reads, Last: Writes, Values: " -m -o -g -S --mode --owner --group ", Writes: " -t --target-directory "},
	{Names: " ln ", Last: Writes, Writes: " -t --target-directory ", Known: true},
	{Names: " mv gmv ", All: Reads | Removes, Last: Writes, Values: " -S ", Writes: " -t --target-directory ", Known: true},
	{Names: " dd ", Reads: " if= ", Writes: " of= ", Known: true},
	{Names: " rsync scp ", All: Reads, Last: Writes, Values: " -e --rsh --exclude --include --filter -f -i -F -P -o -c -l --chmod --chown ", Reads: " --exclude-from --files-from ", Tree: " --remove-source-files ", Known: true, Runs: true},
	{Names: " curl ", Values: " -H --header -X --request -A -u --user -e -b --data-raw -m --max-time --connect-timeout --retry -w --write-out -x --proxy --url ", Data: " -d --data --data-ascii --data-binary --data-urlencode --json -F --form ", Reads: " -K --config -T --upload-file --cacert --cert -E --key ", Writes: " -o --output -D --dump-header -c --cookie-jar --output-dir ", Known: true},
	{Names: " wget ", Values: " -U --header --user --password -t -T ", Reads: " -i --input-file ", Writes: " -O --output-document -P --directory-prefix -o ", Known: true},
	{Names: " openssl ", All: Reads | Writes, Values: " -key -inkey -CAkey -signkey ", Writes: " -out -keyout ", Words: true, Known: true},
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
	{Names: " git/add git/diff git/blame git/show git/grep git/hash-object ", All: Reads},
	{Names: " git/commit ", All: Reads, Values: " -m --message -C -c --author --date --fixup --squash -t ", Reads: " -F --file "},
	{Names: " git/rm ", All: Removes, Tree: " -r ", Idle: " --cached -n --dry-run "},
	{Names: " git/mv ", All: Reads | Removes, Last: Writes},
	{Names: " git/checkout git/restore git/reset git/stash git/apply git/am git/init ", All: Writes, Values: " -b -B -m -s --source --message "},
	{Names: " git/clone ", Last: Writes, Values: " -b --branch --depth -o -c -u -j --filter "},
	{Names: " git/clean ", All: Removes, Values: " -e --exclude ", Tree: " -d ", Idle: " -n --dry-run "},
	{Names: " git/worktree/remove ", Tree: " -f --force "},
	// Programs that run what their operands name.
	{Names: " sh bash zsh ", All: Reads, Known: true, Runs: true},
	{Names: " dash ksh ash fish ", All: Reads, Runs: true},
	{Names: " npm pnpm yarn npx bun node deno lerna python python3 pip pip3 pipx uv uvx poetry twine cargo go make mvn gradle gem bundle ruby perl php composer dotnet nuget find shutdown reboot nc ncat docker podman kubectl helm terraform tofu pulumi aws gcloud gsutil az vercel netlify firebase heroku fly wrangler serverless dropdb prisma crontab systemctl launchctl sudo doas eval powershell pwsh ", All: Reads | Writes, Known: true, Runs: true},
}

// UsageOf returns the usage of a program, or of a subcommand such as git/add; listed is
// false if it is in no row.
func UsageOf(name string) (u *Usage, listed bool) {
	for i := range usages {
		if name != "" && strings.Contains(usages[i].Names, " "+name+" ") {
			return &usages[i], true
		}
	}
	return &unlisted, false
}

// isProgram reports whether a word is the name of a known program, or its path.
func isProgram(word string) bool {
	if at := strings.LastIndex(word, "/bin/"); at >= 0 && word[0] == '/' {
		word = word[at+len("/bin/"):]
	}
	u, _ := UsageOf(word)
	return u.Known
}

// isFileTool reports whether a program changes files that its operands name.
func isFileTool(name string) bool {
	u, _ := UsageOf(name)
	return u.Known && !u.Runs && u.All|u.Last != 0
}

// handsNothing reports whether the operands of a program are files, names or texts,
// also where they look like a command.
func handsNothing(name string) bool {
	u, _ := UsageOf(name)
	return !u.Runs || slices.Contains(builtins[:], name) && name != "sched" && name != "zpty" || slices.Contains(printers[:], name)
}

// IsInterpreter reports whether a program runs programs that are no shell texts.
func IsInterpreter(name string) bool {
	return findInterpreter(strings.TrimRight(name, "0123456789.")) >= 0
}

// prose are options whose argument is a text for people.
const prose = " -m --message --title --body --description --subject --comment --note --notes --reason --text --prompt --pattern --query --grep --search --filter "

// takesProse reports whether the argument of an option is a text for people.
func takesProse(option string) bool {
	return option != "" && strings.Contains(prose, " "+option+" ")
}
