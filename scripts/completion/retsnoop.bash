# SPDX-License-Identifier: BSD-2-Clause
# bash completion for retsnoop. Commands and options come from the program itself.

# Kernel functions that begin with $1, and tracepoints, as CATEGORY:NAME, both where the kernel shows
# them to this user.
__retsnoop_functions()
{
	awk -v begin="$1" '$2 ~ /^[tT]$/ && index($3, begin) == 1 { print $3 }' /proc/kallsyms 2>/dev/null |
		head -n 2000
}

__retsnoop_events()
{
	cat /sys/kernel/tracing/available_events 2>/dev/null || cat /sys/kernel/debug/tracing/available_events 2>/dev/null
}

__retsnoop_points()
{
	case $1 in
	kprobe:*|kretprobe:*)
		__retsnoop_functions "${1#*:}" | sed "s/^/${1%%:*}:/" ;;
	tp:*)
		__retsnoop_events | sed 's/^/tp:/' ;;
	rawtp:*)
		__retsnoop_events | sed -e '/^syscalls:/d' -e 's/^[^:]*:/rawtp:/' ;;
	*)
		printf '%s\n' kprobe: kretprobe: tp: rawtp: line: ;;
	esac
}

# bash quotes these and goes on below directories; outside of a completion it has no options to set.
__retsnoop_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

__retsnoop_values()
{
	local arg=$1 words=$2 cur=$3

	if [[ -n $words ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	case $arg in
	GLOB|FUNC)
		case $cur in
		@*)	mapfile -t COMPREPLY < <(compgen -f -P @ -- "${cur#@}") ;;
		'')	;;
		*)	mapfile -t COMPREPLY < <(__retsnoop_functions "$cur") ;;
		esac ;;
	POINT)
		mapfile -t COMPREPLY < <(compgen -W "$(__retsnoop_points "$cur")" -- "$cur") ;;
	VMLINUX|FILE|DIR|PATH)
		__retsnoop_files "$cur" ;;
	esac
}

# Splits $1 into $words by blanks alone: bash would take '=' and ':' for ends of words, too. The word to
# complete, $cur, is the one at $at, or not begun yet. Words lose their quotes; $quote is the one still open, after
# $head.
__retsnoop_split()
{
	local line=$1 begun='' char i

	for ((i = 0; i < ${#line}; i++)); do
		char=${line:i:1}
		if [[ -z $quote && $char == [[:space:]] ]]; then
			[[ -z $begun ]] || words+=("$cur")
			cur='' begun=''
			continue
		fi
		begun=1
		if [[ -z $quote && $char == [\'\"] ]]; then
			quote=$char head=$cur
		elif [[ $char == "$quote" ]]; then
			quote=''
		elif [[ $char == \\ && $quote != \' ]]; then
			i=$((i + 1))
			# Between double quotes it stays before most characters.
			[[ -z $quote || ${line:i:1} == [\"\\\$\`] ]] || cur+=$char
			cur+=${line:i:1}
		else
			cur+=$char
		fi
	done
	at=${#words[@]}
	[[ -z $begun ]] || words+=("$cur")
}

_retsnoop()
{
	local cur='' quote='' head='' command=stack given='' i at
	local -a words=()

	__retsnoop_split "${COMP_LINE:0:COMP_POINT}"
	COMPREPLY=()
	# bash replaces only what follows an open quote: a word or the value of an option has to begin there.
	[[ -z $quote || $head == -*= || ( -z $head && $cur != -*=* ) ]] || return 0

	for ((i = 1; i < at; i++)); do
		[[ ${words[i]} == -- ]] || continue
		# The program to run; behind it, as without us.
		[[ $i -lt $((at - 1)) ]] || mapfile -t COMPREPLY < <(compgen -c -- "$cur")
		return 0
	done
	# Options that all commands have may stand before the command.
	for ((i = 1; i < at; i++)); do
		[[ ${words[i]} != -* ]] || continue
		given=${words[i]}
		[[ $i -gt 1 ]] && ! __retsnoop_is_command "$given" || command=$given
		break
	done
	if [[ $at -le 1 && $cur != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(retsnoop --list-cmds 2>/dev/null)" -- "$cur")
		return
	fi

	[[ $at -gt 0 ]] || return 0
	local prev=${words[at - 1]}
	local options name letter arg choices
	options=$(retsnoop "$command" --list-options 2>/dev/null) || return 0
	while IFS=$'\x1f' read -r name letter arg choices _; do
		if [[ -n $arg && $arg != \[* && ( $prev == "$name" || $prev == "$letter" ) ]]; then
			__retsnoop_values "$arg" "$choices" "$cur"
			__retsnoop_cut "$cur"
			return
		fi
		if [[ -n $name && $cur == "$name="* ]]; then
			arg=${arg#[} arg=${arg%]}
			__retsnoop_values "$arg" "$choices" "${cur#*=}"
			[[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/$name=}")
			__retsnoop_cut "${cur#*=}"
			return
		fi
	done < <(tr '\t' '\037' <<<"$options")

	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(cut -f1 <<<"$options")" -- "$cur")
		return
	fi
	case $command in
	help)	mapfile -t COMPREPLY < <(compgen -W "$(retsnoop --list-cmds 2>/dev/null; __retsnoop_guides)" -- "$cur") ;;
	probe)	__retsnoop_values POINT '' "$cur"; __retsnoop_cut "$cur" ;;
	funcs|symbolize)
		__retsnoop_values GLOB '' "$cur" ;;
	*)	if [[ -n $given ]]; then
			__retsnoop_files "$cur"
		else
			mapfile -t COMPREPLY < <(compgen -W "$(retsnoop --list-cmds 2>/dev/null)" -- "$cur")
		fi ;;
	esac
}

__retsnoop_is_command()
{
	retsnoop --list-cmds 2>/dev/null | grep -qxF -- "$1"
}

# The documents that 'retsnoop help' opens besides manual pages of commands.
__retsnoop_guides()
{
	retsnoop help -g 2>/dev/null | sed -n 's/^    \([a-z]*\) .*/\1/p'
}

# What bash put before the last ':' stays there: it is not to be said again. Between quotes ':' ends no word.
__retsnoop_cut()
{
	local before=${1%"${1##*:}"}

	[[ -z $quote && $COMP_WORDBREAKS == *:* && -n $before ]] || return 0
	COMPREPLY=("${COMPREPLY[@]#"$before"}")
}

complete -o bashdefault -o default -F _retsnoop retsnoop
