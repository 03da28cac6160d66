# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154	# what scripts/vm sets
# shellcheck disable=SC2034	# what scripts/vm reads
# The cache of test kernels, for scripts/vm: what is where, and filling it from a
# distribution archive. Sourced, after vm.d/apt.sh and vm.d/arch.sh; uses say, cannot, $cache, $busybox,
# $top, $mirror and $update from there.
#
#   $cache/kernels/6.1/release	the kernel's uname -r
#   $cache/kernels/6.1/version	the version of the package it came from
#   $cache/kernels/6.1/bzimage
#   $cache/kernels/6.1/lib/modules/RELEASE/	uncompressed, with modules.dep; empty if the archive
#						has lost them
#   $cache/kernels/6.1/suite	where it came from
#   $cache/kernels/6.1/debug/boot/vmlinux-RELEASE	with DWARF; on demand
#   $cache/kernels/6.1/debug/lib/modules/RELEASE/	DWARF of the modules; on demand
#   $cache/kernels/6.1/debug.img	debug/ as an ext4 file system; on demand
#   $cache/emulator/run	a newer QEMU than this machine's, for x86-64; on demand
#   $cache/emulator-arm64/run	the same for arm64, with its branches logged (--branch-log)
#
# A folder or file appears under its name when it is complete, never before.

mapfile -t known_kernels < <(kernel_list | awk '{ print $1 }')

# image_package KERNEL SUITE: the newest package of the kernel's series and flavour in a suite.
image_package()
{
	local release flavour
	release=$(kernel_field "$1" release)
	flavour=$(kernel_field "$1" flavour)-
	case $flavour in
	arm64-)	flavour=cloud- ;;
	riscv-)	flavour=full- ;;	# the only one
	esac
	apt_for "$2" apt-cache pkgnames "linux-image-$release" 2>/dev/null |
		grep -E "^linux-image-${release//./\\.}(\.[0-9]+)*(-[0-9]+)?(\+deb[0-9.]+)?-${flavour#full-}$apt_arch\$" |
		sort -V | tail -n 1
}

# find_image KERNEL: the package and the suite that has it, into $image and $suite.
find_image()
{
	local suites
	IFS=, read -ra suites <<<"$(kernel_field "$1" suites)"
	for suite in "${suites[@]}"; do
		apt_lists "$suite"
		image=$(image_package "$1" "$suite")
		[[ -z $image ]] || return 0
	done
	cannot "no kernel $1 in ${suites[*]} of $mirror"
}

fetch_kernel_locked()
{
	local apt_arch k=$1 dir=$cache/kernels/$1 new=$cache/kernels/.new-$1
	local release image suite version package debs=() deb m

	[[ ! -e $dir/release || -n $update ]] || return 0	# another run was faster
	apt_arch=$(apt_name "$(arch_of "$k")")
	find_image "$k"
	release=${image#linux-image-}
	version=$(apt_field "$suite" "$image" Version)
	if [[ -e $dir/version && $(<"$dir/version") = "$version" ]]; then
		say "$k is up to date ($release, $version)"
		return 0
	fi
	say "fetching $release ($version)"
	for package in "$image" $(apt_field "$suite" "$image" Depends |
			grep -oE "linux-(base|binary|modules)-[0-9][^ ,]*"); do
		if ! deb=$(apt_deb "$suite" "$package"); then
			# The archive drops these of some backports; a cloud kernel boots without.
			[[ $package == linux-binary-* ]] || { say "the archive has no $package"; continue; }
			cannot "cannot download $package from $mirror"
		fi
		debs+=("$deb")
	done

	rm -rf "$new"
	mkdir -p "$new/unpacked" || cannot "cannot write to $cache"
	for deb in "${debs[@]}"; do
		dpkg-deb -x "$deb" "$new/unpacked" || cannot "cannot unpack $deb"
	done
	(
		cd "$new" || exit 1
		shopt -s nullglob
		m=(unpacked/boot/vmlinuz-* unpacked/usr/lib/modules/*/vmlinuz unpacked/lib/modules/*/vmlinuz)
		mv "${m[0]}" bzimage || exit 1
		for m in unpacked/boot/config-* unpacked/usr/lib/modules/*/config; do mv "$m" config; done
		mkdir -p lib/modules
		for m in unpacked/usr/lib/modules/* unpacked/lib/modules/*; do
			mv "$m" lib/modules/ || exit 1
			break
		done
		mkdir -p "lib/modules/$release"
		rm -rf unpacked
		# busybox cannot load compressed modules, and QEMU's guests are slow at it
		find lib/modules -name '*.ko.xz' -print0 | xargs -0r -n 64 -P "$(nproc)" xz -d || exit 1
		find lib/modules -name '*.ko.zst' -print0 | xargs -0r -n 64 -P "$(nproc)" zstd -q -d --rm || exit 1
		"$busybox" depmod -b . "$release" || exit 1
		echo "$version" >version
		echo "$suite" >suite
		echo "$release" >release
	) || cannot "cannot unpack $release"
	if [[ -e $dir ]]; then
		mv "$dir" "$cache/kernels/.old-$k" && rm -rf "$cache/kernels/.old-$k"
	fi
	mv "$new" "$dir" || cannot "cannot write to $cache"
	rm -f "${debs[@]}"
}

# fetch_kernel KERNEL: make sure that it is in the cache.
fetch_kernel()
{
	[[ -e $cache/kernels/$1/release && -z $update ]] || locked "$1" fetch_kernel_locked "$1"
}

fetch_debug_locked()
{
	local k=$1 dir=$cache/kernels/$1 package deb version suite suites
	local apt_arch release

	[[ ! -e $dir/debug ]] || return 0
	apt_arch=$(apt_name "$(arch_of "$k")")
	release=$(<"$dir/release")
	version=$(<"$dir/version")
	IFS=, read -ra suites <<<"$(kernel_field "$k" suites)"
	suite=$(cat "$dir/suite" 2>/dev/null || echo "${suites[0]}")
	package=linux-image-$release-dbg=$version
	deb=
	[[ ! -e $(apt_dir "$suite")/apt.conf ]] || deb=$(apt_deb "$suite" "$package")
	if [[ -z $deb ]]; then
		apt_lists "$suite"
		deb=$(apt_deb "$suite" "$package") ||
			cannot "the archive has no debug info for $release ($version); get its present kernel: scripts/vm --fetch --update --debug -k $k"
	fi
	say "unpacking debug info of $release"
	rm -rf "$dir/.debug"
	mkdir -p "$dir/.debug"
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir/.debug" --strip-components=4 \
		./usr/lib/debug || cannot "cannot unpack $deb"
	mv "$dir/.debug" "$dir/debug" || cannot "cannot write to $cache"
	rm -f "$deb"
}

# fetch_debug KERNEL: its debug info too.
fetch_debug()
{
	fetch_kernel "$1"
	[[ -e $cache/kernels/$1/debug ]] || locked "$1" fetch_debug_locked "$1"
}

debug_image_locked()
{
	local dir=$cache/kernels/$1 kib files
	[[ ! -e $dir/debug.img ]] || return 0
	say "making a disk of the debug info of $1"
	kib=$(du -sk --apparent-size "$dir/debug" | cut -f1)
	files=$(find "$dir/debug" | wc -l)
	rm -f "$dir/.debug.img"
	kib=$((kib + kib / 20 + files * 4 + 16384))
	mkfs.ext4 -q -F -O ^has_journal -m 0 -N $((files + 100)) -d "$dir/debug" \
		"$dir/.debug.img" ${kib}K >&2 || cannot "cannot make a file system of $dir/debug"
	mv "$dir/.debug.img" "$dir/debug.img"
}

# debug_image KERNEL: ... as a disk for the guest.
debug_image()
{
	fetch_debug "$1"
	[[ -e $cache/kernels/$1/debug.img ]] || locked "$1" debug_image_locked "$1"
}

# sid's QEMU with all the libraries it needs, unpacked and run by its own loader: nothing is
# installed, and nothing of this system is used.
fetch_emulator_locked()
{
	local name=$1 dir=$cache/$1 new=$cache/.$1 packages=(qemu-system-x86 seabios)
	local program=qemu-system-x86_64 native libraries loader apt_arch
	[[ ! -e $dir/run ]] || return 0
	native=$(native_arch)
	apt_arch=$(apt_name "$native")
	libraries=usr/lib/$(uname_for "$native")-linux-gnu
	if [[ $name == emulator-arm64 ]]; then
		packages=(qemu-system-arm)
		program=qemu-system-aarch64
	fi
	[[ -e $(apt_dir sid)/apt.conf && -n $(apt_field sid "${packages[0]}" Version) ]] ||
		apt_lists sid
	say "fetching QEMU $(apt_field sid "${packages[0]}" Version) (about 45 MB)"
	rm -rf "$new"
	apt_unpack sid "$new/root" "${packages[@]}" || return 1
	loader=$(cd "$new/root" && compgen -G "$libraries/ld-linux-*.so.*") || return 1
	cat >"$new/run" <<-END
	#!/bin/sh
	r=\$(dirname "\$0")/root
	exec "\$r/$loader" \\
		--library-path "\$r/$libraries:\$r/${libraries#usr/}" \\
		"\$r/usr/bin/$program" -L "\$r/usr/share/qemu" -L "\$r/usr/share/seabios" "\$@"
	END
	chmod +x "$new/run"
	"$new/run" --version >/dev/null || return 1
	mv "$new" "$dir"
}

# fetch_emulator [emulator-arm64]: make sure that it is in the cache. Not having it is no reason to stop.
fetch_emulator()
{
	local name=${1:-emulator}
	[[ -e $cache/$name/run ]] || (locked "$name" fetch_emulator_locked "$name")
}
