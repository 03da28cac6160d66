# SPDX-License-Identifier: BSD-2-Clause
# fish completion for retsnoop. Commands and options come from the program itself.

# The first word that is no option. Options that all commands have may stand before the command.
function __retsnoop_given
    for word in (commandline -opc)[2..]
        if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
end

# After options, the word may be the value of one: only a command counts.
function __retsnoop_command
    set -l given (__retsnoop_given)
    if test -n "$given"; and begin
            test "$given" = (commandline -opc)[2]; or contains -- $given (retsnoop --list-cmds 2>/dev/null)
        end
        echo $given
    else
        echo stack
    end
end

function __retsnoop_wants_command
    test (count (commandline -opc)) -eq 1; and not string match -q -- '-*' (commandline -ct)
end

# What begins with the text given: kernel functions, and tracepoints as CATEGORY:NAME, both where the
# kernel shows them to this user.
function __retsnoop_functions
    test -n "$argv[1]"; or return
    awk -v begin="$argv[1]" '$2 ~ /^[tT]$/ && index($3, begin) == 1 { print $3 }' /proc/kallsyms 2>/dev/null | head -n 2000
end

function __retsnoop_events
    cat /sys/kernel/tracing/available_events 2>/dev/null; or cat /sys/kernel/debug/tracing/available_events 2>/dev/null
end

function __retsnoop_points
    switch "$argv[1]"
        case 'kprobe:*' 'kretprobe:*'
            set -l parts (string split -m 1 : -- $argv[1])
            __retsnoop_functions $parts[2] | string replace -r '^' $parts[1]:
        case 'tp:*'
            __retsnoop_events | string replace -r '^' tp:
        case 'rawtp:*'
            __retsnoop_events | string match -v 'syscalls:*' | string replace -r '^[^:]*:' rawtp:
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
            __retsnoop_values "$cur" $arg $choices
            return
        end
        if test -n "$name"; and string match -q -- "$name=*" $cur
            __retsnoop_values (string replace -- "$name=" '' $cur) (string trim -c '[]' -- $arg) $choices |
                string replace -r '^' -- $name=
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
            __retsnoop_points "$cur"
        case funcs symbolize
            __retsnoop_functions "$cur"
        case help
            retsnoop --list-cmds 2>/dev/null
            retsnoop help -g 2>/dev/null | string replace -rf '^    ([a-z]+) .*' '$1'
        case '*'
            set -l given (__retsnoop_given)
            if test -n "$given"
                __fish_complete_path "$cur"
            else
                retsnoop --list-cmds 2>/dev/null
            end
    end
end

function __retsnoop_values
    set -l choices $argv[3..]
    if test -n "$choices"
        string split -n ' ' -- $choices
        return
    end
    switch $argv[2]
        case GLOB FUNC
            __retsnoop_functions "$argv[1]"
        case POINT
            __retsnoop_points "$argv[1]"
        case VMLINUX FILE DIR PATH
            __fish_complete_path "$argv[1]"
    end
end

# Behind -- is the program to run.
function __retsnoop_runs
    contains -- -- (commandline -opc)
end

complete -c retsnoop -f -n __retsnoop_wants_command -a '(retsnoop --list-cmds 2>/dev/null)'
complete -c retsnoop -f -n 'not __retsnoop_wants_command; and not __retsnoop_runs' -a '(__retsnoop_options)'
complete -c retsnoop -f -n __retsnoop_runs -a '(__fish_complete_subcommand --fcs-skip=(contains -i -- -- (commandline -opc)))'
