package program

// The options of docker's subcommands.
const (
	containerFlags  = " --rm --privileged --init --interactive --tty --detach --read-only --no-healthcheck --publish-all --sig-proxy --quiet --no-deps --no-tty --build --service-ports --remove-orphans --latest "
	containerValues = " --add-host --annotation --attach --cap-add --cap-drop --cgroupns --cpus --dns --env --expose --gpus --group-add --hostname --index --ip --ipc --label --link --log-driver --log-opt --mac-address --memory --name --net --network --network-alias --pid --pids-limit --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --sysctl --tmpfs --ulimit --user --userns --uts --volumes-from --workdir --detach-keys --arch --os "
)

// containerOptions are those of a container that is made or used.
var containerOptions = []Option{{Entry, " --entrypoint "}, {Paths, " -v --volume --mount --device "}, {Load, " --env-file --label-file "}, {Write, " --cidfile "}}

// launchers run a command of a package, of an environment or of a container.
var launchers = []Program{
	{Names: " npx ", Operands: change, Is: Known | MayRun, Flags: " -yq --yes --no --no-install --quiet --ignore-existing --prefer-offline --offline ", Values: " -pw --package --workspace --registry --cache --userconfig --loglevel ", Options: []Option{{Run, " -c --call "}}, Runs: Command | Version},
	{Names: " npm/exec npm/x ", Operands: change, Is: MayRun, Flags: " -yq --yes --no --workspaces ", Values: " -pw --package --workspace --prefix ", Options: []Option{{Run, " -c --call "}}, Runs: Command | Dashes | Version},
	{Names: " pnpm/exec ", Operands: change, Is: MayRun, Flags: " -cr --recursive --parallel --shell-mode ", Values: " -FC --filter --dir ", Runs: Command | Version},
	{Names: " pnpm/dlx ", Operands: change, Is: MayRun, Flags: " -c --silent --shell-mode ", Values: " --package --allow-build ", Runs: Command | Version},
	{Names: " pnpx corepack ", Operands: change, Is: MayRun, Runs: Command | Version},
	{Names: " yarn/exec poetry/run pipenv/run rye/run rbenv/exec pyenv/exec asdf/exec hatch/run ", Operands: change, Is: MayRun, Runs: Command},
	{Names: " yarn/dlx ", Operands: change, Is: MayRun, Flags: " -q ", Values: " -p --package ", Runs: Command | Version},
	{Names: " bunx bun/x ", Operands: change, Is: MayRun, Flags: " --bun --silent ", Runs: Command | Version},
	{Names: " uv/tool/run uvx ", Operands: change, Is: MayRun, Flags: " -qv --isolated --offline --quiet --no-cache ", Values: " -pw --from --with --python --index --index-url ", Runs: Command | Version},
	{Names: " uv/run ", Operands: change, Is: MayRun, Flags: " -mnqv --isolated --locked --frozen --no-sync --active --no-dev --all-extras --all-groups --dev --exact --no-project --offline --quiet --verbose --no-cache --managed-python ", Values: " -pw --with --with-requirements --with-editable --python --extra --group --package --directory --project --index --index-url --only-group ", Options: []Option{{Load, " --env-file "}}, Runs: Command},
	{Names: " pdm/run ", Operands: change, Is: MayRun, Flags: " -s ", Values: " -p ", Runs: Command},
	{Names: " pipx/run ", Operands: change, Is: MayRun, Flags: " --no-cache --verbose ", Values: " --spec --python --pip-args ", Runs: Command | Version},
	{Names: " conda/run mamba/run ", Operands: change, Is: MayRun, Flags: " -v --no-capture-output --live-stream ", Values: " -np --name --prefix --cwd ", Runs: Command},
	{Names: " micromamba/run ", Operands: change, Is: MayRun, Flags: " -v ", Values: " -npa --name --prefix --cwd --attach ", Runs: Command},
	{Names: " bundle/exec ", Operands: change, Is: MayRun, Flags: " --keep-file-descriptors ", Runs: Command},
	{Names: " mise/exec mise/x ", Operands: change, Is: MayRun, Values: " -C --cd ", Options: []Option{{Run, " -c --command "}}, Runs: Command | Dashes},
	{Names: " direnv/exec ", Operands: change, Is: MayRun, Runs: Command, Skip: 1},
	{Names: " docker/compose docker-compose ", Operands: change, Is: MayRun | Open, Flags: " --compatibility --all-resources --dry-run --verbose ", Values: " -p --project-name --profile --ansi --progress --parallel ", Options: []Option{{Load | Acts, " -f --file "}, {Load, " --env-file "}, {Acts | Text, " --project-directory "}}},
	{Names: " docker/compose/exec docker-compose/exec ", Operands: change, Is: MayRun, Flags: " -dT" + containerFlags, Values: " -euw" + containerValues, Options: containerOptions, Runs: Command | Remote, Skip: 1},
	{Names: " docker/compose/run docker-compose/run ", Operands: change, Is: MayRun, Flags: " -dTiP" + containerFlags, Values: " -elpuw" + containerValues, Options: containerOptions, Runs: Command | Remote, Skip: 1},
	{Names: " docker/exec podman/exec nerdctl/exec docker/container/exec podman/container/exec ", Operands: change, Is: MayRun, Flags: " -ditl" + containerFlags, Values: " -euw" + containerValues, Options: containerOptions, Runs: Command | Remote, Skip: 1},
	{Names: " docker/run podman/run nerdctl/run docker/container/run podman/container/run ", Operands: change, Is: MayRun, Flags: " -ditPq" + containerFlags, Values: " -acehlmpuw" + containerValues, Options: containerOptions, Runs: Command | Remote, Skip: 1},
	{Names: " kubectl/exec oc/exec ", Operands: change, Is: MayRun, Flags: " -itq --stdin --tty --quiet ", Values: " -cfn --container --filename --namespace --context ", Runs: Command | Dashes | Remote, Skip: 1},
	{Names: " volta/run ", Operands: change, Is: MayRun, Values: " --node --npm --pnpm --yarn ", Runs: Command},
	{Names: " fnm/exec ", Operands: change, Is: MayRun, Values: " --using --fnm-dir ", Runs: Command},
	{Names: " nvm/exec ", Operands: change, Is: MayRun, Flags: " --silent ", Runs: Command, Skip: 1},
	{Names: " lerna/exec ", Operands: change, Is: MayRun, Runs: Command | Dashes},
	{Names: " nix-shell ", Operands: change, Is: MayRun, Options: []Option{{Run, " --run --command "}}},
	{Names: " nix/develop nix/shell ", Operands: change, Is: MayRun, Options: []Option{{Tail, " -c --command "}}},
	{Names: " xvfb-run ", Operands: change, Is: MayRun, Flags: " -adhl --auto-servernum --auto-display --listen-tcp ", Values: " -efnpsw --error-file --auth-file --server-num --xauth-protocol --server-args --wait ", Runs: Command},
	{Names: " dbus-run-session ", Operands: change, Is: MayRun, Values: " --config-file --dbus-daemon ", Runs: Command},
	{Names: " cross-env ", Operands: change, Is: MayRun, Runs: Command | Assigns | Remote},
	{Names: " cross-env-shell ", Operands: change, Is: MayRun, Runs: Joined | Assigns},
	{Names: " at batch ", Operands: change, Is: MayRun, Flags: " -mMlbrdvVkcu ", Values: " -fqt ", Runs: Fed},
	{Names: " docker docker/container podman nerdctl ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Acts | Text, " -H --host -c --context --config "}}},
	{Names: " kubectl oc ", Operands: change, Is: Known | MayRun | Open, Values: " -n --namespace --context ", Options: []Option{{Load | Acts, " --kubeconfig "}}},
}
