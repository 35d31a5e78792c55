package program

// builders are the programs that build, test, publish and deploy. They have more options than a row can
// list; the rows have those that write or run something that the operands do not name.
var builders = []Program{
	{Names: " npm ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Enter, " --prefix -C "}, {Helper, " --script-shell --git --editor "}, {Acts | Text, " --node-options --userconfig --globalconfig --init-module --registry --cache "}, {Acts, " -g --global --force --unsafe-perm "}}},
	{Names: " pnpm ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Enter, " --dir -C "}, {Helper, " --script-shell "}, {Acts | Text, " --node-options --registry --store-dir --modules-dir --virtual-store-dir --config "}, {Acts, " -g --global "}}},
	{Names: " yarn ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Enter, " --cwd "}, {Helper, " --use-yarnrc --script-shell "}, {Acts | Text, " --registry --modules-folder --cache-folder "}}},
	{Names: " lerna ", Operands: change, Is: Known | MayRun | Open},
	{Names: " pip pip3 ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Into, " -t --target --root --prefix --src -d --dest --wheel-dir "}, {Write, " --log --report "}, {Acts | Text, " -i --index-url --extra-index-url -f --find-links --python --editable -e --config-settings --global-option --build-option --trusted-host "}}},
	{Names: " pipx poetry twine ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Enter, " -C --directory "}, {Acts | Text, " --index-url --pip-args --repository --repository-url "}}},
	{Names: " uv ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Enter, " --directory --project "}, {Load | Acts, " --config-file "}, {Into, " --target --prefix "}, {Acts | Text, " --index --index-url --extra-index-url --default-index -f --find-links --python "}}},
	{Names: " cargo ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Setting, " --config "}, {Enter, " -C "}, {Acts | Text, " --manifest-path -Z --index --registry "}, {Into, " --target-dir --artifact-dir --out-dir --root "}}},
	{Names: " go gofmt ", Operands: change, Is: Known | MayRun | Open | Words, Options: []Option{{Helper, " -exec -toolexec -vettool -fixtool "}, {Write, " -o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir -test.coverprofile -test.cpuprofile -test.memprofile -test.outputdir "}, {Enter, " -C "}, {Acts | Text, " -modfile -overlay -ldflags -gccgoflags -gcflags -asmflags -pkgdir -test.gocoverdir "}, {Acts, " -w -u -modcacherw -fix "}}},
	{Names: " make gmake ", Operands: change, Is: Known | MayRun | Open, Flags: " -bBeikLmnpqrRsStvw --dry-run --just-print --silent --quiet --keep-going --always-make --version --help ", Values: " -jlO --jobs --load-average -W -o --what-if --old-file ", Options: []Option{{Enter, " -C --directory "}, {Acts | Text, " -f --file --makefile -I --include-dir *= "}, {Run, " --eval -E "}}},
	{Names: " mvn gradle gradlew mvnw ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Acts | Text, " -f --file -s --settings -gs -b --build-file -p --project-dir -c --settings-file -I --init-script --include-build -g --gradle-user-home "}, {Setting | Attached, " -D -P --define "}}},
	{Names: " gem bundle ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Acts | Text, " --gemfile --path -i --install-dir --config-file -s --source "}}},
	{Names: " composer ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Enter, " -d --working-dir "}}},
	{Names: " dotnet nuget ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Into, " -o --output --results-directory "}, {Acts | Text, " -p --property -s --settings --source --configfile --diag "}}},
	{Names: " helm ", Operands: change, Is: Known | MayRun | Open, Options: []Option{{Helper, " --post-renderer "}, {Load | Acts, " --kubeconfig --registry-config --repository-config "}, {Into, " --output-dir "}}},
	{Names: " terraform tofu ", Operands: change, Is: Known | MayRun | Open | Words, Options: []Option{{Enter, " -chdir "}, {Write, " -out -state -state-out -backup -generate-config-out "}, {Acts | Text, " -plugin-dir -backend-config -from-module "}, {Acts, " -auto-approve -destroy "}}},
	{Names: " bun/test bun/install bun/add bun/remove bun/update bun/build bun/pm bun/link bun/publish bun/create bun/upgrade bun/init ", Operands: change, Is: MayRun | Open, Options: []Option{{Load | Acts, " -r --preload -c --config "}, {Enter, " --cwd "}, {Into, " --outdir --outfile "}, {Acts, " -g --global "}}},
	// What may run anything that its operands name.
	{Names: " shutdown reboot nc ncat pulumi aws gcloud gsutil az vercel netlify firebase heroku fly wrangler serverless dropdb prisma crontab systemctl launchctl eval ", Operands: change, Is: Known | MayRun | Open},
}
