# SPDX-License-Identifier: BSD-2-Clause
# bash completion for retsnoop. Commands and options come from the program itself.

# Names of kernel functions that begin with $1; of tracepoints where the kernel shows them.
__retsnoop_functions()
{
	awk -v begin="$1" '$2 ~ /^[tT]$/ && index($3, begin) == 1 { print $3 }' /proc/kallsyms 2>/dev/null |
		head -n 2000
}

__retsnoop_points()
{
	case $1 in
	kprobe:*|kretprobe:*)
		__retsnoop_functions "${1#*:}" | sed "s/^/${1%%:*}:/" ;;
	tp:*|rawtp:*)
		retsnoop probe --list -q "$1*" 2>/dev/null | awk 'NF && !/^[ \t]/ { print $1 }' ;;
	*)
		printf '%s\n' kprobe: kretprobe: tp: rawtp: line: ;;
	esac
}

__retsnoop_values()
{
	local command=$1 arg=$2 words=$3 cur=$4

	if [[ -n $words ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	case $arg in
	GLOB)
		case $cur in
		@*)	mapfile -t COMPREPLY < <(compgen -f -P @ -- "${cur#@}") ;;
		'')	;;
		*)	mapfile -t COMPREPLY < <(__retsnoop_functions "$cur") ;;
		esac ;;
	NAME)
		[[ $command != funcs ]] || mapfile -t COMPREPLY < <(__retsnoop_functions "$cur") ;;
	POINT)
		mapfile -t COMPREPLY < <(compgen -W "$(__retsnoop_points "$cur")" -- "$cur") ;;
	VMLINUX|FILE|DIR|PATH)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}

_retsnoop()
{
	local line=${COMP_LINE:0:COMP_POINT} cur command=stack i word prev=
	local -a words

	# By spaces alone: bash would take '=' and ':' for ends of words, too.
	read -ra words <<<"$line"
	cur=
	[[ $line == *[[:space:]] ]] || cur=${words[-1]}
	COMPREPLY=()

	for ((i = 1; i < ${#words[@]}; i++)); do
		word=${words[i]}
		[[ $word != -- || $i -ge $((${#words[@]} - 1)) ]] || return 0
	done
	if [[ ${#words[@]} -gt 1 && ${words[1]} != -* && ( ${#words[@]} -gt 2 || -z $cur ) ]]; then
		command=${words[1]}
	elif [[ ${#words[@]} -eq 1 || ( ${#words[@]} -eq 2 && -n $cur && $cur != -* ) ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(retsnoop --list-cmds 2>/dev/null)" -- "$cur")
		return
	fi

	i=$((${#words[@]} - 1))
	[[ -z $cur ]] || i=$((i - 1))
	prev=${words[i]}
	local options name letter arg choices
	options=$(retsnoop "$command" --list-options 2>/dev/null) || return 0
	while IFS=$'\x1f' read -r name letter arg choices _; do
		if [[ -n $arg && $arg != \[* && ( $prev == "$name" || $prev == "$letter" ) ]]; then
			__retsnoop_values "$command" "$arg" "$choices" "$cur"
			__retsnoop_cut "$cur"
			return
		fi
		if [[ -n $name && $cur == "$name="* ]]; then
			arg=${arg#[} arg=${arg%]}
			__retsnoop_values "$command" "$arg" "$choices" "${cur#*=}"
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
	help)	mapfile -t COMPREPLY < <(compgen -W "$(retsnoop --list-cmds 2>/dev/null)" -- "$cur") ;;
	probe)	__retsnoop_values probe POINT '' "$cur"; __retsnoop_cut "$cur" ;;
	funcs)	__retsnoop_values funcs GLOB '' "$cur" ;;
	*)	mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}

# What bash put before the last ':' stays there: it is not to be said again.
__retsnoop_cut()
{
	local before=${1%"${1##*:}"}

	[[ $COMP_WORDBREAKS == *:* && -n $before ]] || return 0
	COMPREPLY=("${COMPREPLY[@]#"$before"}")
}

complete -o bashdefault -o default -F _retsnoop retsnoop
