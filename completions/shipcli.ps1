# Completion of shipcli for PowerShell.
Register-ArgumentCompleter -Native -CommandName shipcli -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $env:_SHIPCLI_COMPLETE = 'described'
    $env:_SHIPCLI_WORD = "$wordToComplete"
    try {
        shipcli @words 2>$null | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            if (-not $help) { $help = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
        }
    } finally {
        Remove-Item Env:_SHIPCLI_COMPLETE, Env:_SHIPCLI_WORD -ErrorAction SilentlyContinue
    }
}
