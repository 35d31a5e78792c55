class AgentHooks < Formula
  desc "Runs hooks for any coding agent"
  homepage "https://github.com/agent-hooks/agent-hooks"
  version "<< .Version >>"
  license "Apache-2.0"

  on_macos do
    on_intel do
      url "<< (.Of "darwin" "amd64").URL >>"
      sha256 "<< (.Of "darwin" "amd64").SHA256 >>"
    end
    on_arm do
      url "<< (.Of "darwin" "arm64").URL >>"
      sha256 "<< (.Of "darwin" "arm64").SHA256 >>"
    end
  end

  on_linux do
    on_intel do
      url "<< (.Of "linux" "amd64").URL >>"
      sha256 "<< (.Of "linux" "amd64").SHA256 >>"
    end
    on_arm do
      url "<< (.Of "linux" "arm64").URL >>"
      sha256 "<< (.Of "linux" "arm64").SHA256 >>"
    end
  end

  def install
    bin.install "agent-hooks"
    man1.install "man/agent-hooks.1"
    bash_completion.install "completions/agent-hooks.bash" => "agent-hooks"
    zsh_completion.install "completions/agent-hooks.zsh" => "_agent-hooks"
    fish_completion.install "completions/agent-hooks.fish"
  end

  def caveats
    << "<<~EOS" >>
      agent-hooks setup lets your agents call it.
      Before you remove it: agent-hooks uninstall --all
    EOS
  end

  test do
    assert_match "hook", shell_output("#{bin}/agent-hooks events")
  end
end
