# Installs agent-hooks on Windows: downloads the program of this system from a release, checks its
# checksum, and puts it into a folder of the user. It needs no administrator. It adds that folder to the
# user's PATH only with AGENT_HOOKS_ADD_PATH=1.
#
# AGENT_HOOKS_DIR        the folder, by default %LOCALAPPDATA%\Programs\agent-hooks
# AGENT_HOOKS_VERSION    the release, such as v1.2.3, by default the newest
# AGENT_HOOKS_DOWNLOADS  where the releases are, by default on the project's host
& {
	$ErrorActionPreference = 'Stop'
	$ProgressPreference = 'SilentlyContinue'

	# A release fills these in: its version, and the checksums of its archives.
	$version = ''
	$checksums = ''

	$dir = if ($env:AGENT_HOOKS_DIR) { $env:AGENT_HOOKS_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\agent-hooks' }
	$downloads = if ($env:AGENT_HOOKS_DOWNLOADS) { $env:AGENT_HOOKS_DOWNLOADS } else { 'https://github.com/agent-hooks/agent-hooks/releases' }
	if ($env:AGENT_HOOKS_VERSION -and $env:AGENT_HOOKS_VERSION -ne $version) {
		$version = $env:AGENT_HOOKS_VERSION
		$checksums = ''
	}
	# The processor, also for a PowerShell that runs as another one.
	$machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
	$machine = $machine.ToLowerInvariant()
	if ($machine -ne 'amd64' -and $machine -ne 'arm64') {
		throw "agent-hooks: there is no program for windows/$machine"
	}

	[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
	$scratch = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
	New-Item -ItemType Directory -Path $scratch | Out-Null
	try {
		if (-not $checksums) {
			$from = if ($version) { "$downloads/download/$version" } else { "$downloads/latest/download" }
			$file = Join-Path $scratch 'checksums.txt'
			Invoke-WebRequest -UseBasicParsing -Uri "$from/checksums.txt" -OutFile $file
			$checksums = Get-Content -Raw $file
		}
		if ($checksums -notmatch "(?m)^([0-9a-f]{64})  (agent-hooks_(\S+)_windows_$machine\.zip)\r?$") {
			throw "agent-hooks: the release has no program for windows/$machine"
		}
		$want, $archive, $number = $Matches[1], $Matches[2], $Matches[3]
		$file = Join-Path $scratch $archive
		Invoke-WebRequest -UseBasicParsing -Uri "$downloads/download/v$number/$archive" -OutFile $file
		if ((Get-FileHash -Algorithm SHA256 $file).Hash.ToLowerInvariant() -ne $want) {
			throw "agent-hooks: $archive has another checksum than the release says; nothing was installed"
		}
		Expand-Archive -Path $file -DestinationPath $scratch
		New-Item -ItemType Directory -Force -Path $dir | Out-Null
		$program = Join-Path $dir 'agent-hooks.exe'
		$old = "$program.old"
		if (Test-Path $old) {
			Remove-Item -Force $old
		}
		if (Test-Path $program) {
			Move-Item $program $old # a program that runs can be renamed, but not replaced
		}
		try {
			Move-Item (Join-Path $scratch 'agent-hooks.exe') $program
		} catch {
			if (Test-Path $old) {
				Move-Item $old $program
			}
			throw
		}
		Remove-Item -Force -ErrorAction SilentlyContinue $old
	} finally {
		Remove-Item -Recurse -Force $scratch
	}

	Write-Output "agent-hooks $number is in $dir"
	if (";$env:PATH;" -like "*;$dir;*") {
		Write-Output 'next: agent-hooks setup'
		return
	}
	if ($env:AGENT_HOOKS_ADD_PATH -eq '1') {
		$path = [Environment]::GetEnvironmentVariable('Path', 'User')
		[Environment]::SetEnvironmentVariable('Path', "$path;$dir".TrimStart(';'), 'User')
		Write-Output 'that folder is now in the PATH of new terminals'
	} else {
		Write-Output 'that folder is not in your PATH; to add it, set AGENT_HOOKS_ADD_PATH=1 and install again'
	}
	Write-Output "next: $program setup"
}
