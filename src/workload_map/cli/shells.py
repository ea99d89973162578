"""The shells that can complete commands: those of click, mended where they take words apart."""

from __future__ import annotations

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from workload_map.cli.powershell import PowerShellComplete

SHELLS = ("bash", "zsh", "fish", "powershell")

# `-o custom-columns=` and the like wait for more, so no blank comes after them.
_NO_BLANK_IN_BASH = """\
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
"""
_NO_BLANK_IN_ZSH = """\
        local -a blank
        [[ ${#completions} == 1 && ${completions[1]} == *= ]] && blank=(-S '')
        compadd -U "${blank[@]}" -V unsorted -a completions
"""


class _Bash(BashComplete):
    source_template = BashComplete.source_template.replace("    return 0\n", _NO_BLANK_IN_BASH)

    def get_completion_args(self) -> tuple[list[str], str]:
        """As click's, but `--phase=Fa` is one word: bash takes words apart at `=` and `:`.

        What it completes is the part behind, which is what click gives for a word with `=`.
        """
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        is_joined = False
        for word in (*args, incomplete):
            if words and (is_joined or word in _BREAKS):
                words[-1] += word
            else:
                words.append(word)
            is_joined = word in _BREAKS
        return words[:-1], words[-1]


_BREAKS = ("=", ":")


class _WholeWords(ShellComplete):
    """For shells that replace the whole word: `--phase=Fa` by `--phase=Failed`, not by `Failed`."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        found = super().get_completions(args, incomplete)
        name, equals, _ = incomplete.partition("=")
        if equals and name.startswith("--"):
            for item in found:
                item.value = f"{name}={item.value}"
        return found


class _Zsh(_WholeWords, ZshComplete):
    source_template = ZshComplete.source_template.replace(
        "        compadd -U -V unsorted -a completions\n", _NO_BLANK_IN_ZSH
    )


class _Fish(_WholeWords, FishComplete):
    # A value may have commas: `Failed,Degraded`.
    source_template = FishComplete.source_template.replace("string split", "string split --max 1")


class _PowerShell(_WholeWords, PowerShellComplete):
    pass


def register() -> None:
    """Make click complete in these shells."""
    for kind in (_Bash, _Zsh, _Fish, _PowerShell):
        add_completion_class(kind)
