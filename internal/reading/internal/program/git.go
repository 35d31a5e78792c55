package program

// The options of git before a subcommand, and those of its subcommands that show differences.
const (
	diffFlags  = " -abBDlMCRwWzEGOtrsup0123456789 --patch --no-patch --raw --patch-with-raw --patch-with-stat --minimal --patience --histogram --anchored --stat --compact-summary --numstat --shortstat --dirstat --cumulative --summary --name-only --name-status --submodule --color --no-color --color-words --color-moved --word-diff --check --full-index --binary --abbrev --no-abbrev --break-rewrites --find-renames --find-copies --find-copies-harder --irreversible-delete --pickaxe-all --pickaxe-regex --relative --no-relative --text --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules --no-prefix --default-prefix --cached --staged --merge-base --no-index --no-renames --no-indent-heuristic --indent-heuristic --graph --oneline --decorate --no-decorate --all --branches --tags --remotes --merges --no-merges --first-parent --follow --reverse --topo-order --date-order --author-date-order --walk-reflogs --full-history --simplify-by-decoration --cherry --cherry-pick --cherry-mark --left-right --left-only --right-only --boundary --show-signature --no-notes --notes --stdin --source --log-size --full-diff --pretty --format --date --abbrev-commit --no-abbrev-commit --parents --children --relative-date --no-walk --do-walk --cc --diff-merges --combined-all-paths --no-diff-merges --dense --sparse --simplify-merges --ancestry-path --invert-grep --all-match --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --objects --count -c -q -i -F -P -m --help --show-pulls --no-expand-tabs --expand-tabs --encoding --use-mailmap --mailmap --no-mailmap --clear-decorations --decorate-refs --decorate-refs-exclude --exclude --glob --min-parents --max-parents --no-min-parents --no-max-parents --ita-invisible-in-index --ita-visible-in-index "
	diffValues = " -n -S --max-count --skip --since --after --until --before --author --committer --grep --inter-hunk-context --diff-filter --diff-algorithm --word-diff-regex --ws-error-highlight --src-prefix --dst-prefix --line-prefix --max-depth --since-as-filter --rename-limit --output-indicator-new --output-indicator-old --output-indicator-context --find-object --skip-to --rotate-to "
)

// vcs are git and similar programs. What no row of git's subcommands names has operands that are names.
var vcs = []Program{
	{Names: " git ", Is: Known | Prose, Flags: " -pPhv --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path --help --version ", Options: []Option{
		{Enter, " -C "}, {Setting, " -c --config-env "}, {Acts | Text, " --git-dir --work-tree --namespace "}, {Acts | Text | Attached, " --exec-path "},
		{Helper, " --upload-pack --receive-pack "}, {Acts | Text | Attached, " --output --ext-diff "},
	}},
	{Names: " gh glab hg svn ", Is: Known | Prose, Flags: " * "},
	{Names: " gh/api glab/api ", Is: Prose, Flags: " -i --include --paginate --slurp --silent --verbose --help ", Values: " -q --jq -t --template -H --header -p --preview --cache --hostname ", Options: []Option{{Acts | Text, " -X --method -f --raw-field -F --field --input "}}},
	{Names: " gh/run/download gh/release/download ", Is: Prose, Flags: " * ", Options: []Option{{Into, " -D --dir "}, {Write, " -O --output "}}},
	{Names: " git/diff git/show ", Operands: read, Flags: diffFlags, Values: diffValues, Options: diffOptions},
	{Names: " git/log git/shortlog git/whatchanged ", Operands: read, Flags: diffFlags, Values: diffValues, Options: logOptions},
	{Names: " git/status ", Flags: " -sbvuz --short --branch --show-stash --porcelain --long --verbose --untracked-files --ignore-submodules --ignored --column --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames --help "},
	{Names: " git/blame git/annotate ", Operands: read, Flags: " -bceflnpstwMC --root --show-stats --incremental --porcelain --line-porcelain --show-name --show-number --show-email --color-lines --color-by-age --first-parent --minimal --abbrev --no-progress --progress --score-debug --help ", Values: " -L -S --date --ignore-rev --since --encoding ", Options: []Option{{Load, " --ignore-revs-file "}, {Read, " --contents "}, {Acts, " --ext-diff "}}},
	{Names: " git/grep ", Operands: read, Flags: " * ", Options: []Option{{Run | Attached, " -O --open-files-in-pager "}, {Acts, " --ext-grep --textconv "}}},
	{Names: " git/add git/hash-object git/cat-file ", Operands: read, Flags: " * ", Options: []Option{{Acts, " --textconv --filters "}}},
	{Names: " git/archive ", Operands: read, Flags: " -lv --list --verbose --worktree-attributes 0123456789 ", Values: " --format --prefix --mtime ", Options: []Option{{Write, " -o --output "}, {Helper, " --exec --remote "}, {Load, " --add-file --add-virtual-file "}}},
	{Names: " git/ls-tree git/rev-parse git/rev-list git/describe git/merge-base git/name-rev git/show-ref git/for-each-ref git/count-objects git/check-ignore git/var git/version git/cherry git/range-diff git/diff-tree git/diff-index git/diff-files git/show-branch git/verify-commit git/verify-tag ", Flags: " * ", Options: []Option{{Write, " --output "}, {Acts, " --ext-diff --textconv "}}},
	{Names: " git/ls-files ", Is: Lists, Flags: " * ", Values: " -x --exclude --exclude-per-directory --with-tree --format ", Options: []Option{{Narrows, " -d --deleted -m --modified -o --others -i --ignored -u --unmerged -k --killed --directory --resolve-undo "}, {Load, " -X --exclude-from "}}},
	{Names: " git/merge git/cherry-pick git/revert git/switch git/config git/remote git/reflog git/worktree git/submodule git/notes git/bisect ", Flags: " * ", Options: []Option{{Acts, " -f --force --discard-changes "}, {Helper, " -s --strategy "}}},
	{Names: " git/format-patch ", Flags: " * ", Options: []Option{{Into, " -o --output-directory "}, {Write, " --output "}, {Acts, " --ext-diff --textconv "}}},
	{Names: " git/branch ", Flags: " -ravvqil --remotes --all --list --verbose --quiet --show-current --color --no-color --column --no-column --ignore-case --omit-empty --abbrev --no-abbrev -t --track --no-track --create-reflog --help ", Values: " --sort --format --contains --no-contains --merged --no-merged --points-at ", Options: []Option{{Acts, " -d -D --delete -m -M --move -c -C --copy -f --force --set-upstream-to -u --unset-upstream --edit-description "}}},
	{Names: " git/tag ", Flags: " -laniq --list --column --no-column --create-reflog --color --ignore-case --omit-empty --no-sign -s --sign -e --edit ", Values: " -m --message --sort --format --contains --no-contains --merged --no-merged --points-at -u --local-user --cleanup --trailer ", Options: []Option{{Acts, " -d --delete -f --force "}, {Load, " -F --file "}}},
	{Names: " git/commit ", Operands: read, Flags: " * ", Values: " -m --message -C -c --author --date --fixup --squash -t ", Options: []Option{{Read, " -F --file "}}},
	{Names: " git/rm ", Operands: remove, Flags: " * ", Values: " --pathspec-from-file ", Options: []Option{{Trees, " -r "}, {Idle, " --cached -n --dry-run "}}},
	{Names: " git/mv ", Operands: read | remove, Last: write, Flags: " * "},
	{Names: " git/checkout git/restore git/reset git/stash git/apply git/am git/init ", Operands: write, Flags: " * ", Values: " -b -B -m -s --source --message ", Options: []Option{{Acts | Text | Attached, " --template --exec --separate-git-dir "}, {Acts, " --hard -f --force "}}},
	{Names: " git/fetch git/pull git/push git/ls-remote ", Flags: " * ", Options: []Option{{Helper, " --upload-pack --receive-pack --exec "}, {Acts, " -f --force --force-with-lease --force-if-includes --mirror --prune -d --delete "}}},
	{Names: " git/clone ", Last: write, Flags: " * ", Values: " -b --branch --depth -o -j --filter --origin --jobs ", Options: []Option{{Setting, " -c --config "}, {Helper | Text, " -u --upload-pack "}, {Acts | Text, " --template --separate-git-dir "}}},
	{Names: " git/clean ", Operands: remove, Is: Here, Flags: " * ", Values: " -e --exclude ", Options: []Option{{Trees, " -d "}, {Idle, " -n --dry-run "}}},
	{Names: " git/worktree/remove ", Flags: " * ", Options: []Option{{Trees, " -f --force "}}},
	{Names: " git/bisect/run ", Runs: Command},
	{Names: " git/submodule/foreach ", Flags: " -q --recursive --quiet ", Runs: Joined},
	{Names: " git/rebase ", Flags: " * ", Options: []Option{{Run, " -x --exec "}}},
	{Names: " git/filter-branch ", Flags: " * ", Options: []Option{{Run, " --setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter "}}},
	{Names: " git/difftool ", Flags: " * ", Options: []Option{{Run, " -x --extcmd "}, {Helper, " -t --tool "}}},
}

// The options of git diff and git log that do something else than show.
var (
	diffOptions = []Option{{Text, " -U --unified "}, {Write, " --output "}, {Acts, " --ext-diff --textconv "}, {Load, " -O "}}
	logOptions  = []Option{{Write, " --output "}, {Acts, " --ext-diff --textconv "}, {Load, " -O "}, {Read, " -L "}, {Shows, " -p -u -W -c --cc --patch --patch-with-raw --patch-with-stat --binary "}, {Shows | Text, " -U --unified "}}
)
