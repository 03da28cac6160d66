# SPDX-License-Identifier: BSD-2-Clause
# fish completion for retsnoop. Commands and options come from the program itself.

function __retsnoop_command
    set -l words (commandline -opc)
    if test (count $words) -gt 1; and not string match -q -- '-*' $words[2]
        echo $words[2]
    else
        echo stack
    end
end

function __retsnoop_wants_command
    test (count (commandline -opc)) -eq 1; and not string match -q -- '-*' (commandline -ct)
end

function __retsnoop_functions
    set -l begin (commandline -ct)
    test -n "$begin"; or return
    awk -v begin="$begin" '$2 ~ /^[tT]$/ && index($3, begin) == 1 { print $3 }' /proc/kallsyms 2>/dev/null | head -n 2000
end

function __retsnoop_points
    set -l cur (commandline -ct)
    switch $cur
        case 'kprobe:*' 'kretprobe:*'
            set -l parts (string split -m 1 : $cur)
            awk -v begin="$parts[2]" -v kind="$parts[1]" '$2 ~ /^[tT]$/ && index($3, begin) == 1 { print kind ":" $3 }' /proc/kallsyms 2>/dev/null | head -n 2000
        case 'tp:*' 'rawtp:*'
            retsnoop probe --list -q "$cur*" 2>/dev/null | awk 'NF && !/^[ \t]/ { print $1 }'
        case '*'
            printf '%s\n' kprobe: kretprobe: tp: rawtp: line:
    end
end

# Options, and values of the one before or of --option=.
function __retsnoop_options
    set -l cur (commandline -ct)
    set -l before (commandline -opc)[-1]
    retsnoop (__retsnoop_command) --list-options 2>/dev/null | while read -l -d \t name letter arg choices text
        if test -n "$arg"; and not string match -q '[*' -- $arg; and begin
                test "$before" = "$name"; or test "$before" = "$letter"
            end
            __retsnoop_values $arg $choices
            return
        end
        if string match -q -- "$name=*" $cur
            for value in (string split -n ' ' $choices)
                echo $name=$value
            end
            return
        end
        if string match -q -- '-*' $cur
            test -n "$name"; and printf '%s\t%s\n' $name $text
            test -n "$letter"; and printf '%s\t%s\n' $letter $text
        end
    end
    string match -q -- '-*' $cur; and return
    switch (__retsnoop_command)
        case probe
            __retsnoop_points
        case funcs
            __retsnoop_functions
        case help
            retsnoop --list-cmds 2>/dev/null
    end
end

function __retsnoop_values
    set -l choices $argv[2..]
    if test -n "$choices"
        string split -n ' ' $choices
        return
    end
    switch $argv[1]
        case GLOB NAME
            __retsnoop_functions
        case POINT
            __retsnoop_points
        case VMLINUX FILE DIR PATH
            __fish_complete_path (commandline -ct)
    end
end

complete -c retsnoop -f -n __retsnoop_wants_command -a '(retsnoop --list-cmds 2>/dev/null)'
complete -c retsnoop -f -n 'not __retsnoop_wants_command' -a '(__retsnoop_options)'
