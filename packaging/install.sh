#!/bin/sh
# Installs agent-hooks: downloads the program of this system from a release, checks its checksum, and
# puts it into a folder of the user. It needs no root, and changes no other file.
#
#	sh install.sh
#
# AGENT_HOOKS_DIR        the folder, by default ~/.local/bin
# AGENT_HOOKS_VERSION    the release, such as v1.2.3, by default the newest
# AGENT_HOOKS_DOWNLOADS  where the releases are, by default on the project's host
#
# The status is 3 if there is no such release.
set -eu

# A release fills these in: its version, and the checksums of its archives.
version=
checksums=

fail() {
	echo "agent-hooks: error: $1" >&2
	exit "${2-1}"
}

# get downloads a URL into a file.
get() {
	if command -v curl >/dev/null; then
		redirect=http,https
		case $1 in https:*) redirect=https ;; esac
		code=$(curl -sSL --proto-redir "=$redirect" --retry 3 -o "$2" -w '%{http_code}' "$1") || fail "$1 cannot be downloaded"
		case $code in
		200) ;;
		404) fail "there is no $1" 3 ;;
		*) fail "$1 cannot be downloaded: the server answers $code" ;;
		esac
	elif command -v wget >/dev/null; then
		wget -q -O "$2" "$1" || {
			[ $? = 8 ] && fail "there is no $1" 3
			fail "$1 cannot be downloaded"
		}
	else
		fail "this needs curl or wget"
	fi
}

# checksum prints the SHA-256 of a file.
checksum() {
	if command -v sha256sum >/dev/null; then
		sha256sum "$1"
	elif command -v shasum >/dev/null; then
		shasum -a 256 "$1"
	elif command -v sha256 >/dev/null; then
		sha256 -q "$1"
	elif command -v openssl >/dev/null; then
		openssl dgst -sha256 -r "$1"
	else
		fail "this needs sha256sum, shasum, sha256 or openssl"
	fi | cut -c 1-64
}

main() {
	dir=${AGENT_HOOKS_DIR:-$HOME/.local/bin}
	downloads=${AGENT_HOOKS_DOWNLOADS:-https://github.com/agent-hooks/agent-hooks/releases}
	if [ -n "${AGENT_HOOKS_VERSION-}" ] && [ "$AGENT_HOOKS_VERSION" != "$version" ]; then
		version=$AGENT_HOOKS_VERSION checksums=
	fi
	system=$(uname -s | tr '[:upper:]' '[:lower:]')
	case $(uname -m) in
	x86_64 | amd64) machine=amd64 ;;
	aarch64 | arm64) machine=arm64 ;;
	*) machine=$(uname -m) ;;
	esac
	type=tar.gz program=agent-hooks
	case $system in mingw* | msys* | cygwin*) system=windows type=zip program=agent-hooks.exe ;; esac
	case $system/$machine in
	windows/amd64 | windows/arm64 | linux/amd64 | linux/arm64 | darwin/amd64 | darwin/arm64 | freebsd/amd64 | freebsd/arm64) ;;
	*) fail "there is no program for $system/$machine; with Go: go install github.com/agent-hooks/agent-hooks/cmd/agent-hooks@latest" ;;
	esac

	scratch=$(mktemp -d)
	new=$dir/.agent-hooks.$$
	trap 'rm -rf "$scratch" "$new"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' HUP TERM

	if [ -z "$checksums" ]; then
		from=$downloads/latest/download
		[ -z "$version" ] || from=$downloads/download/$version
		get "$from/checksums.txt" "$scratch/checksums.txt"
		checksums=$(cat "$scratch/checksums.txt")
	fi
	line=$(printf '%s\n' "$checksums" | grep "  agent-hooks_[^ ]*_${system}_$machine\.$type\$") || fail "the release has no program for $system/$machine"
	archive=${line##* }
	number=${archive#agent-hooks_}
	number=${number%"_${system}_$machine.$type"}
	get "$downloads/download/v$number/$archive" "$scratch/$archive"
	[ "$(checksum "$scratch/$archive")" = "${line%% *}" ] || fail "$archive has another checksum than the release says; nothing was installed"

	if [ "$type" = zip ]; then
		unzip -q "$scratch/$archive" "$program" -d "$scratch"
	else
		tar -xzf "$scratch/$archive" -C "$scratch" "$program"
	fi
	chmod 755 "$scratch/$program"
	mkdir -p "$dir"
	cp "$scratch/$program" "$new"
	mv -f "$new" "$dir/$program" # at once, also if it is running

	echo "agent-hooks $number is in $dir"
	case :$PATH: in
	*:"$dir":*) echo "next: agent-hooks setup" ;;
	*)
		echo "that folder is not in your PATH; add this line to your shell's profile:"
		echo "  export PATH=\"$dir:\$PATH\""
		echo "next: $dir/agent-hooks setup"
		;;
	esac
}

main # at the end, so that a part of this file does nothing
