"""Completion for PowerShell, which click does not come with."""

from __future__ import annotations

import os

from click.shell_completion import CompletionItem, ShellComplete

# A word in quotes counts without them. A variable that is set to nothing is none, so it cannot be removed.
_SCRIPT = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.ToString() }
        })
    $env:%(complete_var)s = 'powershell_complete'
    $env:COMP_WORDS = $words -join "`n"
    $env:COMP_CWORD = $wordToComplete
    %(prog_name)s | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
    Remove-Item 'Env:%(complete_var)s', 'Env:COMP_WORDS', 'Env:COMP_CWORD' -ErrorAction Ignore
}
"""


class PowerShellComplete(ShellComplete):
    """Takes the finished words, a line each, in COMP_WORDS, and the one that is typed in COMP_CWORD."""

    name = "powershell"
    source_template = _SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        """The finished words without the program's name, and the beginning of the next one."""
        words = os.environ.get("COMP_WORDS", "").split("\n")
        return words[1:], os.environ.get("COMP_CWORD", "")

    def format_completion(self, item: CompletionItem) -> str:
        """A candidate on its line."""
        return str(item.value)
