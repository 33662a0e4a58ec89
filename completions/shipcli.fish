# Completion of shipcli for fish.
function __shipcli_choices
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    env _SHIPCLI_COMPLETE=described $words[1] $words[2..-1] "$word" 2>/dev/null
end
complete --command shipcli --arguments '(__shipcli_choices)'
