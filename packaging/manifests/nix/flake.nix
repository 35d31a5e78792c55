{
  description = "Runs hooks for any coding agent";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
<<- range $system, $of := .Nix >>
        << $system >> = {
          url = "<< $of.URL >>";
          sha256 = "<< $of.SHA256 >>";
        };
<<- end >>
      };
    in
    {
      packages = nixpkgs.lib.mapAttrs
        (system: archive: {
          default = nixpkgs.legacyPackages.${system}.stdenvNoCC.mkDerivation {
            pname = "agent-hooks";
            version = "<< .Version >>";
            src = nixpkgs.legacyPackages.${system}.fetchurl archive;
            sourceRoot = ".";
            installPhase = ''
              install -D -m 755 agent-hooks $out/bin/agent-hooks
              install -D -m 644 man/agent-hooks.1 $out/share/man/man1/agent-hooks.1
              install -D -m 644 completions/agent-hooks.bash $out/share/bash-completion/completions/agent-hooks
              install -D -m 644 completions/agent-hooks.zsh $out/share/zsh/site-functions/_agent-hooks
              install -D -m 644 completions/agent-hooks.fish $out/share/fish/vendor_completions.d/agent-hooks.fish
            '';
            meta = {
              homepage = "https://github.com/agent-hooks/agent-hooks";
              license = nixpkgs.lib.licenses.asl20;
              mainProgram = "agent-hooks";
            };
          };
        })
        archives;
    };
}
