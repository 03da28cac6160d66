# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154	# what scripts/vm sets
#
# What is inside a test machine, for scripts/vm: makes its root and packs it up. Sourced; takes
# what the user asked for from there.

# quoted WORD...: as a line of shell.
quoted()
{
	local word line=
	for word; do
		line+="'${word//\'/\'\\\'\'}' "
	done
	echo "$line"
}

# copy_libraries FILE: what a program loads at start, at the same places.
copy_libraries()
{
	local library
	guest_libraries "$1" | while read -r library; do
		[[ -e $guest_root$library && ! -e $root$library ]] || continue
		mkdir -p "$root${library%/*}"
		cp -L "$guest_root$library" "$root$library"
	done
}

# base_root: what is in every machine.
base_root()
{
	mkdir -p "$root"/{bin,sbin,usr/bin,usr/sbin,lib/modules,lib64,etc,proc,sys,dev,tmp,run,root,home/user,var/tmp,mnt}

	cp "$guest_busybox" "$root/bin/busybox"
	copy_libraries "$guest_busybox"
	ln -s busybox "$root/bin/sh"
	cp "$here/vm.d/init" "$root/init"
	printf '%s\n' root:x:0:0:root:/root:/bin/sh user:x:1000:1000:user:/home/user:/bin/sh >"$root/etc/passwd"
	printf '%s\n' root:x:0: tty:x:5: user:x:1000: >"$root/etc/group"
}

# copy_modules: those asked for, with what modules.dep says they need.
copy_modules()
{
	local from=$modules_dir to=$root/lib/modules/$release missing module
	mkdir -p "$to"
	if [[ ! -e $from/modules.builtin ]]; then
		# What the boot needs is built in.
		[[ ${#modules[@]} -eq 0 ]] || bad "there are no modules of kernel $release"
		return
	fi
	if [[ " ${modules_available[*]} " == *" all "* ]]; then
		cp -r "$from/." "$to/"
	else
		cp "$from"/modules.builtin* "$to/"
		awk -v wanted="virtio_pci virtio_console ${modules[*]} ${modules_available[*]}" '
			function name(path) {
				sub(/.*\//, "", path)
				sub(/\.ko.*/, "", path)
				gsub(/-/, "_", path)
				return path
			}
			FNR == NR {
				in_kernel[name($1)] = 1
				next
			}
			{
				sub(/:/, "", $1)
				path[name($1)] = $1
				line[name($1)] = $0
			}
			END {
				n = split(wanted, list, " ")
				for (i = 1; i <= n; i++) {
					m = name(list[i])
					if (m in path) {
						k = split(line[m], files, " ")
						for (j = 1; j <= k; j++)
							print files[j]
					} else if (!(m in in_kernel))
						print "?" list[i]
				}
			}' "$from/modules.builtin" "$from/modules.dep" | sort -u >"$work/modules"
		if missing=$(grep '^?' "$work/modules"); then
			bad "kernel $release has no module ${missing//[?$'\n']/ }"
		fi
		while read -r module; do
			mkdir -p "$to/${module%/*}"
			cp "$from/$module" "$to/$module"
		done <"$work/modules"
	fi
	# As an installed kernel has them; busybox loads neither.
	find "$to" -name '*.ko.xz' -print0 | xargs -0r xz -d
	find "$to" -name '*.ko.zst' -print0 | xargs -0r zstd -q -d --rm
	"$busybox" depmod -b "$root" "$release"
}

# copy_tree: the built programs, and the tests.
copy_tree()
{
	local program
	build=${build:-$guest_build}
	for program in "$build"/*; do
		[[ -f $program && -x $program ]] || continue
		cp -L "$program" "$root/usr/bin/"
		copy_libraries "$program"
	done
	[[ ! -d $top/tests ]] || cp -r "$top/tests" "$root/root/tests"
}

# copy_files: what -f names.
copy_files()
{
	local spec file place
	for spec in "${files_in[@]}"; do
		file=${spec%%:*}
		place=
		[[ $spec != *:* ]] || place=${spec#*:}
		[[ $place == /* ]] || place=/root/${place:-$(basename "$file")}
		mkdir -p "$root${place%/*}"
		cp -rL "$file" "$root$place"
		[[ ! -f $file ]] || copy_libraries "$file"
	done
}

# write_orders COMMAND...: what the machine is to do.
write_orders()
{
	local rows columns
	[[ -z $stdin ]] || cat >"$root$stdin"
	{
		echo "VM_NAME=vm"
		echo "export VM_KERNEL='${kernel##*/}'"
		echo "VM_MODULES='${modules[*]}'"
		echo "VM_FILES=$(quoted "$(quoted "${files_out[@]%:*}")")"
		echo "VM_STDIN=${stdin:-/dev/null}"
		echo "VM_NET='${forwards[*]}'"
		echo "VM_DEBUG=${debug:+/dev/nvme0n1}"
		if [[ -n $tty ]]; then
			read -r rows columns <<<"$(stty size)"
			[[ $rows != 0 ]] || rows=24 columns=80
			echo "VM_TTY=/dev/$guest_tty"
			echo "VM_TERM='$TERM'"
			echo "VM_STTY='rows $rows columns $columns'"
		else
			echo "VM_TTY="
		fi
	} >"$root/etc/vm.conf"
	if [[ $# -gt 0 ]]; then
		echo "exec $(quoted "$@")"
	else
		echo "exec sh -l"
	fi >"$root/etc/vm.cmd"
}

# make_initrd COMMAND...: all that, in $work/initrd.
make_initrd()
{
	root=$work/root
	base_root
	copy_modules
	[[ -z $tree ]] || copy_tree
	copy_files
	write_orders "$@"
	(cd "$root" && find . -print0 | "$cpio" -0 -o -H newc -R 0:0 --quiet) >"$work/initrd" ||
		cannot "cannot write the initramfs to $work"
	rm -rf "$root"
}
