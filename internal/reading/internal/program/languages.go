package program

// The options of shells with the grammar of sh, or a similar one. The long ones of bash may follow one
// hyphen.
const (
	shellFlags  = " -abefhiklmnprtuvxBCDEHPTI +abefhkmnptuvxBCEHPT --debug --debugger --dump-po-strings --dump-strings --help --login --noediting --noprofile --norc --posix --pretty-print --protected --restricted --verbose --version --wordexp "
	shellValues = " -oO +oO --rcfile --init-file "
)

var shellOptions = []Option{{First, " -c +c "}, {Input, " -s +s "}}

// languages are the programs that run the program in a file, in an option or in their input.
var languages = []Program{
	{Names: " sh bash zsh ", Operands: read, Is: Known | MayRun, Flags: shellFlags, Values: shellValues, Options: shellOptions, Runs: Script},
	{Names: " dash ksh ash ", Operands: read, Is: MayRun, Flags: shellFlags, Values: shellValues, Options: shellOptions, Runs: Script},
	{Names: " rbash mksh ", Operands: change, Is: MayRun, Flags: shellFlags, Values: shellValues, Options: shellOptions, Runs: Script},
	{Names: " fish ", Operands: read, Is: MayRun, Options: []Option{{First, " -c "}}, Runs: Foreign},
	{Names: " csh tcsh nu elvish xonsh cmd ", Operands: change, Is: MayRun, Options: []Option{{First, " -c "}}, Runs: Foreign},
	{Names: " pwsh powershell ", Operands: change, Is: Known | MayRun, Options: []Option{{First, " -c "}}, Runs: Foreign},
	{Names: " python ", Operands: change, Is: Known | MayRun, Values: " -WX ", Options: []Option{{Code, " -c "}, {Module, " -m "}}, Runs: Language},
	{Names: " pypy ", Operands: change, Is: MayRun, Values: " -WX ", Options: []Option{{Code, " -c "}, {Module, " -m "}}, Runs: Language},
	{Names: " node ", Operands: change, Is: Known | MayRun, Values: " -C ", Options: []Option{{Load, " -r --require --import --env-file --env-file-if-exists "}, {Code, " -e -p --eval --print "}}, Runs: Language},
	{Names: " nodejs ", Operands: change, Is: MayRun, Values: " -C ", Options: []Option{{Load, " -r --require --import --env-file --env-file-if-exists "}, {Code, " -e -p --eval --print "}}, Runs: Language},
	{Names: " tsx ts-node ", Operands: change, Is: MayRun, Options: []Option{{Code, " -e -p --eval --print "}}, Runs: Language},
	{Names: " bun bun/run ", Operands: change, Is: Known | MayRun, Options: []Option{{Load, " -r --preload --env-file "}, {Code, " -e -p --eval --print "}}, Runs: Language},
	{Names: " deno ", Operands: change, Is: Known | MayRun, Flags: " * "},
	{Names: " deno/run ", Operands: change, Is: MayRun, Runs: Language},
	{Names: " perl ", Operands: change, Is: Known | MayRun, Values: " -ICDx ", Options: []Option{{Text | Edits | Attached, " -i "}, {Code, " -eE "}}, Runs: Language},
	{Names: " ruby ", Operands: change, Is: Known | MayRun, Values: " -rICEFKT ", Options: []Option{{Text | Edits | Attached, " -i "}, {Code, " -e "}}, Runs: Language},
	{Names: " php ", Operands: change, Is: Known | MayRun, Values: " -dczSt ", Options: []Option{{Code, " -rBRE "}}, Runs: Language},
	{Names: " lua luajit ", Operands: change, Is: MayRun, Values: " -l ", Options: []Option{{Code, " -e "}}, Runs: Language},
	{Names: " osascript ", Operands: change, Is: MayRun, Values: " -ls ", Options: []Option{{Code, " -e "}}, Runs: Language},
	{Names: " tclsh ", Operands: change, Is: MayRun, Runs: Language},
	{Names: " rscript groovy ", Operands: change, Is: MayRun, Options: []Option{{Code, " -e "}}, Runs: Language},
	{Names: " julia ", Operands: change, Is: MayRun, Values: " -LpCJ ", Options: []Option{{Code, " -eE "}}, Runs: Language},
}
