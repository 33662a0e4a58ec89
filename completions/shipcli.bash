# Completion of shipcli for bash.
_shipcli() {
    local choice
    COMPREPLY=()
    while IFS= read -r choice; do
        COMPREPLY+=("$choice")
    done < <(_SHIPCLI_COMPLETE=plain "${COMP_WORDS[0]}" "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _shipcli shipcli
