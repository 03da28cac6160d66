# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# Reading packages from a Debian archive, for scripts that fetch: lists, downloads, unpacking, of any
# architecture, and nothing of the machine's own apt is touched. Sourced; uses say, cannot, $cache
# and $mirror from there.
#
#   $cache/apt/bookworm/	package lists and downloads under way
#   $cache/apt/bookworm-arm64/	the same of another architecture than amd64
#
# A folder or file appears under its name when it is complete, never before.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Debian's name of the architecture whose packages are read.
apt_arch=amd64

# apt_name ARCH: what Debian calls an architecture of the kernel's sources.
apt_name()
{
	case $1 in
	x86)	echo amd64 ;;
	riscv)	echo riscv64 ;;
	*)	echo "$1" ;;
	esac
}

apt_dir()
{
	local suffix=-$apt_arch
	echo "$cache/apt/$1${suffix#-amd64}"
}

# The mirror that this machine's own apt reads Debian from, security updates aside.
machine_mirror()
{
	apt-get --print-uris update 2>/dev/null |
		sed -n "s,^'\(.*/debian\)/*/dists/.*,\1,p" | head -n 1
}

# apt_write SUITE: an apt configuration that touches nothing of the machine's, but goes
# through the same proxy.
apt_write()
{
	local dir
	dir=$(apt_dir "$1")
	mkdir -p "$dir/lists/partial" "$dir/archives/partial" || return 1
	: >"$dir/status"
	echo "deb [arch=$apt_arch signed-by=$keyring] $mirror $1 main" >"$dir/sources.list"
	{
		apt-config dump | grep '^Acquire::' | grep -v '^Acquire::Languages'
		cat <<-END
		#clear APT::Architectures;
		APT::Architecture "$apt_arch";
		APT::Architectures { "$apt_arch"; };
		APT::Sandbox::User "";
		APT::Update::Error-Mode "any";
		Acquire::Languages "none";
		Acquire::Retries "5";
		Dir::State "$dir";
		Dir::State::lists "$dir/lists";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir";
		Dir::Cache::archives "$dir/archives";
		Dir::Cache::srcpkgcache "";
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::main "/dev/null";
		Dir::Etc::parts "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		END
	} >"$dir/apt.conf"
}

# apt_for SUITE COMMAND...: an apt program under that configuration, its talk on stderr.
apt_for()
{
	local conf
	conf=$(apt_dir "$1")/apt.conf
	shift
	APT_CONFIG=$conf LC_ALL=C "$@"
}

# apt_lists SUITE: package lists from the archive, checked against its signature.
apt_lists()
{
	if ! command -v apt-get >/dev/null; then
		cannot "this comes as Debian packages, and needs apt (apt-get, dpkg-deb)"
	fi
	[[ -r $keyring ]] ||
		cannot "cannot check the archive's signatures: no $keyring; install debian-archive-keyring"
	if [[ -z ${mirror:=$(machine_mirror)} ]]; then
		cannot "this machine's apt reads no Debian archive: name one with --mirror URL"
	fi
	mirror=${mirror%/}
	locked "apt-$(basename "$(apt_dir "$1")")" apt_lists_locked "$1"
}

# Lists that were read less than ten minutes ago are as good: several kernels of a suite are fetched in one run.
apt_lists_locked()
{
	local read
	read=$(apt_dir "$1")/read
	[[ -n ${update-} || -z $(find "$read" -mmin -10 2>/dev/null) || $(<"$read") != "$mirror" ]] || return 0
	say "reading the package lists of $1 from $mirror"
	apt_write "$1" || cannot "cannot write to $cache"
	apt_for "$1" apt-get -q update >&2 ||
		cannot "cannot read $1 from $mirror: try --mirror URL, a Debian archive that has it"
	echo "$mirror" >"$read"
}

# apt_field SUITE PACKAGE FIELD: of the newest version there is.
apt_field()
{
	apt_for "$1" apt-cache --no-all-versions show "$2" 2>/dev/null |
		sed -n "s/^$3: //p" | head -n 1
}

# apt_deb SUITE PACKAGE[=VERSION]: download a package; prints where it is.
apt_deb()
{
	local suite=$1 url name hash line dir
	line=$(apt_for "$suite" apt-get --print-uris download "$2" 2>/dev/null | tail -n 1)
	read -r url name _ hash <<<"$line"
	url=${url#\'}
	url=${url%\'}
	[[ -n $hash ]] || return 1
	dir=$(apt_dir "$suite")
	# Unlike "apt-get download", this goes on where a connection broke, and keeps what is whole.
	apt_for "$suite" /usr/lib/apt/apt-helper download-file "$url" \
		"$dir/archives/$name" "$hash" >&2 || return 1
	echo "$dir/archives/$name"
}

# locked NAME COMMAND...: one at a time over all the runs of this program.
locked()
{
	local fd rc
	mkdir -p "$cache/locks" || cannot "cannot write to $cache"
	exec {fd}>"$cache/locks/$1"
	if ! flock -n "$fd"; then
		say "waiting for another run that fetches $1"
		flock "$fd"
	fi
	shift
	"$@"
	rc=$?
	exec {fd}>&-
	return $rc
}

# apt_unpack SUITE DIRECTORY PACKAGE...: packages and all they depend on, unpacked below DIRECTORY as one
# system; nothing is installed. Documentation and translations are left out. $apt_shlibs in it lists the
# packages of libraries, as deb-shlibs(5) has them.
apt_shlibs=var/lib/dpkg/shlibs

apt_unpack()
{
	local suite=$1 root=$2 deb dir
	shift 2
	mkdir -p "$root.debs/partial" "$root"/usr/{lib,lib64,bin,sbin} || return 1
	apt_for "$suite" apt-get -qq -y --no-install-recommends --download-only \
		-o Dir::Cache::archives="$root.debs" -o Debug::NoLocking=1 install "$@" >&2 || return 1
	for dir in lib lib64 bin sbin; do ln -s "usr/$dir" "$root/$dir"; done
	mkdir -p "$root/${apt_shlibs%/*}" && : >"$root/$apt_shlibs" || return 1
	for deb in "$root.debs"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root" --keep-directory-symlink \
			--exclude=./usr/share/doc --exclude=./usr/share/man \
			--exclude=./usr/share/locale || return 1
		dpkg-deb --info "$deb" shlibs 2>/dev/null >>"$root/$apt_shlibs"	# most have none
	done
	rm -rf "$root.debs"
}
