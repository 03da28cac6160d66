# SPDX-License-Identifier: BSD-2-Clause
# Build, check, demo, bench, install. `make help` lists the targets.

VERSION := 0.1.0

# The CPU architecture to build for, as the kernel names it: x86, arm64 or riscv (64 bits). For another one than this
# machine's, Debian's cross compiler takes the libraries that scripts/sysroot fetches.
uname_x86 := x86_64
uname_arm64 := aarch64
uname_riscv := riscv64
archs := x86 arm64 riscv
# make splits lists at blanks, and `uninstall` would remove the parts.
$(foreach name,CURDIR O DESTDIR prefix bindir libexecdir mandir docdir,$(if \
	$(filter-out 1,$(words a/$($(name))/b)),$(error $(name) has a blank: '$($(name))'; use a path without blanks)))
machine := $(shell uname -m)
native := $(strip $(foreach arch,$(archs),$(if $(filter $(machine),$(uname_$(arch))),$(arch))))
ARCH ?= $(native)
ifeq ($(filter $(archs),$(ARCH)),)
$(error ARCH is x86, arm64 or riscv, not '$(ARCH)')
endif
triplet := $(uname_$(ARCH))-linux-gnu
cross := $(filter-out $(native),$(ARCH))

O ?= build$(cross:%=-%)
# It is in the flags, and a change of these builds everything anew: a folder in here has one name.
override O := $(patsubst $(CURDIR)/%,%,$(abspath $(O)))
# `clean` removes the directory and must not remove files of others with it.
ifneq ($(filter-out help clean version uninstall,$(or $(MAKECMDGOALS),all)),)
ifeq ($(wildcard $(O)/flags),)
ifneq ($(filter-out %.log $(patsubst %/flags,%,$(wildcard $(O)/*/flags)),$(wildcard $(O)/* $(O)/.[!.]*)),)
$(error $(O) is not empty and was not made by this Makefile: remove it, or name a new directory with O=)
endif
endif
endif
prefix ?= /usr/local
bindir ?= $(prefix)/bin
libexecdir ?= $(prefix)/libexec
mandir ?= $(prefix)/share/man
docdir ?= $(prefix)/share/doc/retsnoop
DESTDIR ?=

# Services and bare containers may have no HOME; what is fetched is kept there.
ifeq ($(HOME),)
export HOME := $(shell getent passwd "$$(id -u)" | cut -d: -f6)
endif

# All CPUs, unless -j says otherwise.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif

CLANG ?= clang
BPFTOOL ?= $(shell scripts/find-bpftool)
PKG_CONFIG ?= pkg-config
INSTALL ?= install
ASCIIDOCTOR ?= asciidoctor

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-8s %s\n'
MAKEFLAGS += --no-print-directory
endif

# `make CC=clang` works too; make's own default is cc.
ifeq ($(origin CC),default)
CC := $(cross:%=$(triplet)-)gcc
endif

include_dir := /usr/include/$(triplet)
ifneq ($(cross),)
ifneq ($(filter-out help clean version,$(or $(MAKECMDGOALS),all)),)
SYSROOT ?= $(shell scripts/sysroot $(ARCH))
ifeq ($(SYSROOT),)
$(error no libraries of $(ARCH): scripts/sysroot says why)
endif
endif
include_dir := $(SYSROOT)$(include_dir)
# The rest runs what it builds, or names it after this machine.
can_cross := all static help clean version install install-tests uninstall man deb
cannot_cross := $(filter-out $(can_cross) $(O)/%,$(MAKECMDGOALS))
ifneq ($(cannot_cross),)
$(error $(cannot_cross): for this machine's own architecture only; ARCH=$(ARCH) supports all, static, install, deb)
endif
override CC := $(CC) $(if $(findstring clang,$(CC)),--target=$(triplet)) --sysroot=$(SYSROOT)
AR := llvm-ar
PKG_CONFIG := PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) \
	PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(triplet)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig \
	$(PKG_CONFIG)
endif

LIBS := libbpf libdw libelf zlib inih libtraceevent capstone
CFLAGS ?= -O2 -g
WERROR ?= -Werror
warnings := -Wall -Wextra $(WERROR) -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
	    -Wwrite-strings -Wno-unused-parameter -Wno-missing-field-initializers
# What is built does not tell where: the same sources make the same bytes.
same_bytes := -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(O)=./build
own_cflags := -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I. -I$(O) $(warnings) -pthread \
	      -DRETSNOOP_VERSION='"$(VERSION)"' \
	      $(same_bytes) \
	      -DRETSNOOP_INIH_VERSION='"$(shell $(PKG_CONFIG) --modversion inih 2>/dev/null)"'
# Modules and sections compressed with Zstandard; elfutils 0.189 and later read them without.
ifeq ($(shell $(PKG_CONFIG) --exists libzstd 2>/dev/null && echo yes),yes)
LIBS += libzstd
own_cflags += -DHAVE_ZSTD
endif
lib_libs = $(shell $(PKG_CONFIG) --libs $(LIBS))
static_libs = $(shell $(PKG_CONFIG) --static --libs $(LIBS)) -lzstd -lbz2 -llzma

# Of the architectures all tables are built, for recordings cross, and the code of ARCH.
util_sources := $(sort $(wildcard util/*/*.c util/*/*/*.c util/kernel/arch/*/tables.c \
	util/kernel/arch/$(ARCH)/*.c))
sources := $(util_sources) $(sort $(wildcard builtin/*.c builtin/*/*.c))
objects := $(sources:%.c=$(O)/%.o)
simfail_objects := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard tests/simfail/*.c)))
main_objects := $(O)/cmd/retsnoop.o
archive := $(O)/libretsnoop.a
programs := $(O)/retsnoop $(O)/simfail
# simfail is for tests and examples.
installed := $(O)/retsnoop

# The BPF object comes in variants, for what the kernels' BTF makes differ (bpf/retsnoop.bpf.c).
bpf_variants := $(if $(wildcard bpf/retsnoop.bpf.c),session_void session_ctx nobtf)
bpf_skeletons := $(bpf_variants:%=$(O)/bpf/retsnoop_%.skel.h) $(O)/bpf/watch/watch.skel.h
bpf_cflags := -target bpf -mcpu=v3 -O2 -g -Wall $(WERROR) -I. $(same_bytes) \
	      -D__TARGET_ARCH_$(ARCH) -idirafter $(include_dir)
bpf_flags_session_void := -DSESSION_KFUNCS_VOID
bpf_flags_session_ctx := -DSESSION_KFUNCS_CTX
bpf_flags_nobtf := -DNO_KERNEL_BTF

.PHONY: all
all: $(programs)

.PHONY: help
help:
	@echo 'make            build $(O)/retsnoop, and $(O)/simfail for examples and tests, and manual pages'
	@echo 'make demo       set up what is missing and trace a failing call'
	@echo 'make check      set up what is missing and test every feature, on two kernels or more'
	@echo 'make check-all  the same for every case on every kernel and machine: hours.'
	@echo '                With KEEP=DIR it can be ended, and goes on when it is started again'
	@echo 'make check-quick unit tests, the command line, one kernel: a few minutes'
	@echo 'make unit       unit tests only: no root, no network once the harness is there'
	@echo 'make coverage   what part of each directory the unit tests run'
	@echo 'make fuzz       feed the harnesses in tests/fuzz with nonsense, FUZZ_SECONDS=$(FUZZ_SECONDS) each'
	@echo 'make analyze    gcc -fanalyzer, cppcheck and clang-tidy'
	@echo 'make check-cli  the command line, without tracing anything'
	@echo 'make check-page pages of sessions, in a browser'
	@echo 'make check-docs the programs against their manual pages'
	@echo 'make lbr        what scripts/vm --lbr needs: a plugin for QEMU, and the programs of its tests'
	@echo 'make bench      measure, side by side with what else there is'
	@echo 'make bench-quick calls and attaching on one kernel: three minutes'
	@echo 'make static     one static file: $(O)/retsnoop.static'
	@echo 'make man        manual pages'
	@echo 'make deb        a Debian package'
	@echo 'make dist       a tarball of the sources, with programs that need no libraries: DIST_ARCHS=x86 arm64'
	@echo 'make install    DESTDIR= prefix=$(prefix); also: make uninstall'
	@echo 'make clean      remove $(O)/'
	@echo 'V=1 shows commands, O=DIR builds elsewhere, CC=clang works too; ARCH=arm64 builds for that CPU'
	@echo 'with the compiler of gcc-aarch64-linux-gnu, in build-arm64/; so does ARCH=riscv, for 64 bits'

$(O)/retsnoop: $(main_objects) $(archive)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^ $(lib_libs)

$(O)/simfail: $(simfail_objects) $(archive)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^

guest_programs := $(addprefix $(O)/,spans spans-lib symbols-same verified)
guest_files := $(guest_programs) $(O)/libspans.so
$(guest_programs):
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^ $(lib_libs)
$(O)/spans: $(O)/tests/spans/spans.o
$(O)/spans: LDFLAGS += -rdynamic
$(O)/spans-lib: $(O)/tests/spans/spans-lib.o | $(O)/libspans.so
$(O)/tests/spans/spans-lib.o: tests/spans/spans.c $(O)/flags
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(own_cflags) $(CFLAGS) -DSPANS_LIB -MMD -MP -c -o $@ $<
$(O)/libspans.so: tests/spans/libspans.c $(O)/flags
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(own_cflags) $(CFLAGS) -fPIC -shared -o $@ $<
$(O)/symbols-same: $(O)/tests/symbols/symbols_same.o $(archive)
$(O)/verified: $(O)/tests/verified/verified.o

$(archive): $(objects)
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# glibc's warning about dlopen in static programs concerns libdebuginfod, which they do not load, and
# NSS. The linker's --no-warnings would hide it, and symbols that are missing, too (binutils 2.40, 2.44).
.PHONY: static
static: $(O)/retsnoop.static
$(O)/retsnoop.static: $(main_objects) $(O)/no_decoders.o $(O)/cmd/static_libeu.o $(archive)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -static -pthread -o $@ $^ $(static_libs) 2>$@.log || \
		{ cat $@.log >&2; exit 1; }
	$(Q)rm $@.log

# Capstone's decoders for other CPUs would be 3 MB of the static program. It leaves out those whose
# functions are at 0.
no_decoders := ARM AArch64 Mips PPC Sparc SystemZ XCore M68K TMS320C64x M680X EVM
$(O)/no_decoders.o: Makefile
	$(say) AS $@
	@mkdir -p $(@D)
	$(Q)printf '%s\n' $(foreach cpu,$(no_decoders),$(cpu)_global_init $(cpu)_option) | \
		sed 's/.*/.globl &; & = 0/; $$a .section .note.GNU-stack,"",%progbits' | \
		$(CC) -x assembler -c -o $@ -

# Flags are part of what objects depend on, of BPF, too: a changed version, compiler or linker flag rebuilds.
flags_text := $(CC) $(CFLAGS) $(own_cflags) $(LDFLAGS) $(CLANG) $(bpf_cflags)
$(O)/flags: FORCE
	@mkdir -p $(O)
	@echo '$(subst ','\'',$(flags_text))' | cmp -s - $@ || echo '$(subst ','\'',$(flags_text))' > $@

# The same for the one thing in the program that depends on where it is installed.
exec_path_text := \#define RETSNOOP_EXEC_PATH "$(libexecdir)/retsnoop"
$(O)/exec_path.h: FORCE
	@mkdir -p $(O)
	@echo '$(exec_path_text)' | cmp -s - $@ || echo '$(exec_path_text)' > $@
$(O)/builtin/suite/external.o $(O)/san/builtin/suite/external.o: $(O)/exec_path.h

$(O)/%.o: %.c $(O)/flags | $(bpf_skeletons)
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(own_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

# X(NAME) for each system call of the CPU that this is built for.
syscall_names := $(O)/util/kernel/symbols/syscall_names.h
$(syscall_names): $(O)/flags
	$(say) GEN $@
	@mkdir -p $(@D)
	$(Q)echo '#include <asm/unistd.h>' | $(CC) $(CPPFLAGS) -E -dM - | LC_ALL=C sort | \
		sed -nE '/_(syscalls|arch_specific_syscall) /d; s/^#define __NR_([a-z0-9_]+) .*/X(\1)/p' > $@.tmp && test -s $@.tmp && mv $@.tmp $@
$(addsuffix util/kernel/symbols/syscall_name.o,$(O)/ $(O)/san/ $(O)/fuzz/): $(syscall_names)

page := $(wildcard util/view/formats/page/*)
$(O)/util/view/formats/html.o $(O)/san/util/view/formats/html.o: $(page)

$(O)/bpf/retsnoop_%.bpf.o: bpf/retsnoop.bpf.c Makefile $(O)/flags
	$(say) BPF $@
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(bpf_cflags) $(bpf_flags_$*) -MMD -MP -c -o $@ $<
	$(Q)llvm-strip -g $@

$(O)/bpf/retsnoop_%.skel.h: $(O)/bpf/retsnoop_%.bpf.o
	$(say) SKEL $@
	$(Q)$(BPFTOOL) gen skeleton $< name retsnoop_$* > $@.tmp && mv $@.tmp $@

$(O)/bpf/watch/watch.bpf.o: bpf/watch/watch.bpf.c Makefile $(O)/flags
	$(say) BPF $@
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(bpf_cflags) -MMD -MP -c -o $@ $<
	$(Q)llvm-strip -g $@

$(O)/bpf/watch/watch.skel.h: $(O)/bpf/watch/watch.bpf.o
	$(say) SKEL $@
	$(Q)$(BPFTOOL) gen skeleton $< name watch > $@.tmp && mv $@.tmp $@

# Nothing that was made is deleted again.
.SECONDARY:

# Unit tests: all the code again with sanitizers, in programs built with the kernel's test harness.
HARNESS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/retsnoop/harness
san := $(O)/san
# Lines are enough for what a sanitizer reports; types in debug info are an eighth of the time to build.
san_cflags := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# The harness defines functions without prototypes, nests, and compares whatever it is given. Building the
# tests takes longer than running them: what they do themselves is watched for bad addresses alone, by calls.
# Not so those that have the BPF programs or another CPU's code in them, and one that reads its own code.
unit_cflags = -isystem $(HARNESS) -Wno-missing-prototypes -Wno-shadow -Wno-sign-compare $(unit_level)
unit_level := -O0 -g -fno-sanitize=undefined --param asan-instrumentation-with-call-threshold=0
$(patsubst %.c,$(san)/%.o,$(wildcard tests/unit/test_engine*.c tests/unit/test_instruction*.c)): unit_level := -g
$(patsubst %.c,$(san)/%.o,$(wildcard tests/unit/test_arm64*.c tests/unit/test_riscv*.c)): unit_level := -O0 -g
unit_programs := $(patsubst %.c,$(san)/%,$(sort $(wildcard tests/unit/test_*.c)))
replay_programs := $(patsubst %.c,$(san)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

.PHONY: unit unit-programs
unit-programs: $(unit_programs) $(replay_programs)
unit: unit-programs
	$(Q)tests/run-unit $(if $(filter 1,$(V)),-v) $(unit_programs) $(replay_programs)

# The unit tests built once more, to count the lines that they run.
.PHONY: coverage
coverage:
	$(Q)$(MAKE) O=$(O)/coverage san_cflags='$(san_cflags) --coverage -DUNIT_COVERAGE' unit
	$(Q)tests/coverage $(O)/coverage

# Fuzzing: the code once more with clang's sanitizers and libFuzzer, one harness a file. `make unit`
# runs the harnesses, too, on few inputs and without libFuzzer (replay_programs).
fuzz := $(O)/fuzz
samples := $(O)/tests/fuzz
fuzz_cflags := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	       -fno-omit-frame-pointer
fuzz_names := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
fuzz_programs := $(fuzz_names:%=$(fuzz)/%)
FUZZ_SECONDS ?= 60

.PHONY: fuzz check-fuzz fuzz-programs
fuzz-programs: $(fuzz_programs)
fuzz: $(fuzz_programs)
	$(Q)tests/fuzz/run $(FUZZ_SECONDS) $(fuzz_programs)

# The same inputs each time: libFuzzer's differ, since addresses steer it.
check-fuzz: $(replay_programs)
	$(Q)FUZZ_COPIES=5000 tests/run-unit $(replay_programs)

# What static analysis finds; tests/analyze/explained has what is left out, and why.
.PHONY: analyze
analyze: $(bpf_skeletons) $(O)/exec_path.h $(syscall_names)
	$(Q)ANALYZE_CFLAGS='$(subst ','\'',$(filter-out -W%,$(own_cflags)))' tests/analyze/run $(O)

# Commands, options and keys against the manual pages.
.PHONY: check-docs
check-docs: $(programs) man
	$(Q)tests/docs/check $(O)

# The emulated CPU that records branches: a plugin of QEMU, for scripts/vm --lbr. It is not part of
# what is installed, and under the GPL. With it, programs that look at its records in a test kernel.
lbr := $(O)/tests/lbr.so $(O)/tests/steps.so $(O)/tests/lbr-snapshot $(O)/tests/lbr-from-json
.PHONY: lbr
lbr: $(lbr)

plugin_headers := tests/lbr/qemu_plugin.h tests/lbr/registers.h tests/lbr/steps.h
$(O)/tests/lbr.so $(O)/tests/steps.so: $(O)/tests/%.so: tests/lbr/%.c $(plugin_headers) $(O)/flags
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE $(warnings) $(CFLAGS) -fPIC -shared -fvisibility=hidden \
		-o $@ $<

$(O)/tests/lbr/snapshot.bpf.o: tests/lbr/snapshot.bpf.c Makefile $(O)/flags
	$(say) BPF $@
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(bpf_cflags) -MMD -MP -c -o $@ $<
	$(Q)llvm-strip -g $@

$(O)/tests/lbr/snapshot.skel.h: $(O)/tests/lbr/snapshot.bpf.o
	$(say) SKEL $@
	$(Q)$(BPFTOOL) gen skeleton $< name snapshot > $@.tmp && mv $@.tmp $@

$(O)/tests/lbr/snapshot.o: $(O)/tests/lbr/snapshot.skel.h
$(O)/tests/lbr-snapshot: $(O)/tests/lbr/snapshot.o $(O)/tests/lbr/rings.o $(archive)
$(O)/tests/lbr-from-json: $(O)/tests/lbr/from_json.o $(O)/tests/lbr/rings.o $(archive)
# Of the guest, for tests/lbr/oracle
$(O)/tests/lbr-decide: $(O)/tests/lbr/decide.o $(archive)
$(O)/tests/anycall: $(O)/tests/lbr/anycall.o $(archive)
$(O)/tests/lbr-snapshot $(O)/tests/lbr-from-json $(O)/tests/lbr-decide $(O)/tests/anycall:
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^ $(lib_libs)

# Single calls of malloc(), open() and others fail.
.PHONY: faults check-faults
faults: $(O)/tests/faults.so $(samples)/sample.elf
$(O)/tests/faults.so: tests/faults/faults.c Makefile
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra $(WERROR) $(CFLAGS) -fPIC -shared -o $@ $< -ldl

check-faults: $(programs) faults
	$(Q)tests/faults/run $(O)

# The command line of the program as a whole.
.PHONY: check-cli
check-cli: $(programs) faults
	$(Q)tests/cli/run $(O)
	$(Q)tests/cli/debuginfod $(O)
	$(Q)tests/cli/logs $(O)
	$(Q)tests/cli/recordings $(O)
	$(Q)tests/cli/recording-sets $(O)
	$(Q)tests/faults/run $(O)
	$(Q)tests/flame/run $(O)
	$(Q)tests/cli/terminal $(O)
	$(Q)tests/cli/mistakes $(O)
	$(Q)tests/cli/install $(O)
	$(Q)tests/cli/completion $(O)
	$(Q)tests/json/run $(O)

# Pages of sessions, in a browser.
.PHONY: check-page
check-page: $(O)/retsnoop
	$(Q)tests/page/run $(O)

# The tarball, and its static program where there is nothing but it; the package, where nothing else
# of retsnoop is.
.PHONY: check-dist check-deb
check-dist: dist
	$(Q)tests/dist/run $(abspath $(O)) $(VERSION)

check-deb: deb
	$(Q)tests/deb/run $(abspath $(O)) $(VERSION)

# What is missing is installed, and only then. scripts/demo installs QEMU if it boots a kernel.
.PHONY: set-up set-up-build check check-all check-quick demo bench bench-quick
set-up:
	@scripts/install-deps --check >/dev/null 2>&1 || scripts/install-deps

set-up-build:
	@scripts/install-deps --check build >/dev/null 2>&1 || scripts/install-deps build

check: set-up
	$(Q)scripts/check $(if $(KEEP),--keep $(KEEP)) check $(O)

check-all: set-up
	$(Q)scripts/check $(if $(KEEP),--keep $(KEEP)) all $(O)

check-quick: set-up
	$(Q)scripts/check $(if $(KEEP),--keep $(KEEP)) quick $(O)

demo: set-up-build
	$(Q)$(MAKE) all
	$(Q)scripts/demo $(O)

bench: set-up
	$(Q)$(MAKE) all
	$(Q)! command -v $(uname_arm64)-linux-gnu-gcc >/dev/null || $(MAKE) ARCH=arm64 O=$(O)-arm64 all
	$(Q)tests/bench/run $(O)

bench-quick: set-up
	$(Q)$(MAKE) all
	$(Q)tests/bench/run $(O) quick

$(HARNESS)/kselftest_harness.h:
	$(Q)scripts/fetch-harness >/dev/null

$(san)/%.o: %.c $(O)/flags | $(bpf_skeletons)
	$(say) SAN $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(own_cflags) $(san_cflags) -MMD -MP -c -o $@ $<

$(san)/tests/unit/%.o: tests/unit/%.c $(O)/flags | $(HARNESS)/kselftest_harness.h $(bpf_skeletons)
	$(say) SAN $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(own_cflags) $(san_cflags) $(unit_cflags) -MMD -MP -c -o $@ $<

$(san)/libretsnoop.a: $(sources:%.c=$(san)/%.o)
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(unit_programs): %: %.o $(san)/libretsnoop.a
	$(say) LINK $@
	$(Q)$(CC) $(san_cflags) $(LDFLAGS) -pthread -o $@ $^ $(lib_libs)

$(fuzz)/%.o: %.c $(O)/flags | $(bpf_skeletons)
	$(say) FUZZ $@
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(own_cflags) $(fuzz_cflags) -MMD -MP -c -o $@ $<

$(fuzz)/libretsnoop.a: $(util_sources:%.c=$(fuzz)/%.o)
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# What harnesses damage: files of each kind with debug info. Clang has no -gbtf.
sample_files := $(samples)/sample.elf $(samples)/sample.ko $(samples)/sample.btf
sample_cc := gcc -O2 -ffreestanding -fno-stack-protector $(same_bytes)
$(samples)/sample.btf: tests/fuzz/sample.c Makefile
	$(say) SAMPLE $@
	@mkdir -p $(@D)
	$(Q)$(sample_cc) -gbtf -c -o $@.o $<
	$(Q)objcopy -O binary --set-section-flags .BTF=alloc --only-section=.BTF $@.o $@
$(samples)/sample.elf: tests/fuzz/sample.c $(samples)/sample.btf
	$(say) SAMPLE $@
	$(Q)$(sample_cc) -g -gdwarf-5 -nostdlib -static -no-pie -Wl,--build-id -Wl,-Ttext=0x100000 \
		-o $@.tmp $<
	$(Q)objcopy --add-section .BTF=$(samples)/sample.btf $@.tmp $@
$(samples)/sample.ko: tests/fuzz/sample.c Makefile
	$(say) SAMPLE $@
	@mkdir -p $(@D)
	$(Q)$(sample_cc) -g -gdwarf-4 -gz=zlib -ffunction-sections -fno-pic -c -o $@ $<

fuzz_parts := tests/fuzz/fuzz.o tests/fuzz/samples.o
$(fuzz_parts:%=$(fuzz)/%) $(fuzz_parts:%=$(san)/%): own_cflags += -DFUZZ_SAMPLES='"$(samples)"'
$(fuzz)/tests/fuzz/samples.o $(san)/tests/fuzz/samples.o: $(sample_files)

$(fuzz_programs): $(fuzz)/%: $(fuzz)/tests/fuzz/%.o $(fuzz_parts:%=$(fuzz)/%) $(fuzz)/libretsnoop.a
	$(say) LINK $@
	$(Q)$(CLANG) -fsanitize=fuzzer,address,undefined $(LDFLAGS) -pthread -o $@ $^ $(lib_libs)

# The harnesses without libFuzzer, with gcc's sanitizers.
$(replay_programs): $(san)/tests/fuzz/%: $(san)/tests/fuzz/%.o $(san)/tests/fuzz/replay.o \
		$(fuzz_parts:%=$(san)/%) $(san)/libretsnoop.a
	$(say) LINK $@
	$(Q)$(CC) $(san_cflags) $(LDFLAGS) -pthread -o $@ $^ $(lib_libs)

# Manual pages; without asciidoctor the rest is still built and installed.
man_fragments := $(filter-out Documentation/retsnoop%,$(wildcard Documentation/*.adoc))
man5_names := retsnoop-config retsnoop-json
man7_names := retsnoop-options retsnoop-fleet
man1_names := $(filter-out $(man5_names) $(man7_names),$(basename $(notdir $(wildcard Documentation/retsnoop*.adoc))))
man_pages := $(man1_names:%=$(O)/man/%.1) $(man5_names:%=$(O)/man/%.5) \
	     $(man7_names:%=$(O)/man/%.7)
have_asciidoctor = $(shell command -v $(ASCIIDOCTOR))

.PHONY: man
man: $(man_pages)
# With the programs, so that `sudo make install` leaves no files of root in the build directory.
all: $(if $(have_asciidoctor),man)

define man_rule
$$(O)/man/%.$(1): Documentation/%.adoc $$(man_fragments) Makefile
	$$(say) MAN $$@
	@mkdir -p $$(@D)
	$$(Q)$$(ASCIIDOCTOR) --failure-level=WARN -b manpage -a mansource='retsnoop $$(VERSION)' \
		-a manmanual='retsnoop manual' -o $$@ $$<
endef
$(eval $(call man_rule,1))
$(eval $(call man_rule,5))
$(eval $(call man_rule,7))

# Laid out as here, so that links between them lead somewhere.
docs := LICENSE README.md CHANGELOG.md \
	$(addprefix contrib/, retsnoop-export.service Containerfile retsnoop-daemonset.yaml) \
	$(addprefix Documentation/, install.md retsnoop-tutorial.md retsnoop-data.txt performance.txt \
		schema/retsnoop.json pictures/why.png pictures/page.png)

# Where shells look for what completes a command line.
datadir = $(prefix)/share
completions = $(datadir)/bash-completion/completions/retsnoop \
	$(datadir)/zsh/site-functions/_retsnoop \
	$(datadir)/fish/vendor_completions.d/retsnoop.fish

.PHONY: install uninstall
install: $(installed) $(if $(have_asciidoctor),man)
	$(Q)$(INSTALL) -d $(DESTDIR)$(bindir)
	$(Q)$(INSTALL) -m 755 $(installed) $(DESTDIR)$(bindir)
	$(Q)for doc in $(docs); do $(INSTALL) -D -m 644 $$doc $(DESTDIR)$(docdir)/$$doc || exit; done
	$(Q)sed -i 's,^ExecStart=/usr/bin/,ExecStart=$(bindir)/,' \
		$(DESTDIR)$(docdir)/contrib/retsnoop-export.service
	$(Q)$(INSTALL) -D -m 644 scripts/completion/retsnoop.bash \
		$(DESTDIR)$(word 1,$(completions))
	$(Q)$(INSTALL) -D -m 644 scripts/completion/_retsnoop $(DESTDIR)$(word 2,$(completions))
	$(Q)$(INSTALL) -D -m 644 scripts/completion/retsnoop.fish $(DESTDIR)$(word 3,$(completions))
ifneq ($(have_asciidoctor),)
	$(Q)$(INSTALL) -d $(addprefix $(DESTDIR)$(mandir)/man,1 5 7)
	$(Q)$(INSTALL) -m 644 $(filter %.1,$(man_pages)) $(DESTDIR)$(mandir)/man1
	$(Q)$(INSTALL) -m 644 $(filter %.5,$(man_pages)) $(DESTDIR)$(mandir)/man5
	$(Q)$(INSTALL) -m 644 $(filter %.7,$(man_pages)) $(DESTDIR)$(mandir)/man7
else
	@echo 'no $(ASCIIDOCTOR): installed without manual pages'
endif

uninstall:
	$(Q)rm -f $(installed:$(O)/%=$(DESTDIR)$(bindir)/%) \
		$(man1_names:%=$(DESTDIR)$(mandir)/man1/%.1) $(man5_names:%=$(DESTDIR)$(mandir)/man5/%.5) \
		$(man7_names:%=$(DESTDIR)$(mandir)/man7/%.7)
	$(Q)rm -f $(docs:%=$(DESTDIR)$(docdir)/%) $(completions:%=$(DESTDIR)%)
	$(Q)if [ -d "$(DESTDIR)$(docdir)" ]; then \
		find "$(DESTDIR)$(docdir)" -depth -type d -empty -delete; fi

# What test machines get: the installed files, and programs to trace.
.PHONY: install-tests
install-tests: install $(O)/simfail $(guest_files)
	$(Q)$(INSTALL) -m 755 $(O)/simfail $(guest_files) $(DESTDIR)$(bindir)

# A package for this distribution, or for the suite of the libraries of another ARCH; and the sources,
# with static programs for any other.
.PHONY: deb dist
deb: all
	$(Q)STRIP=$(cross:%=$(triplet)-)strip scripts/make-deb $(abspath $(O)) $(VERSION) \
		$(if $(cross),$(ARCH) $(SYSROOT))

DIST_ARCHS ?= x86 arm64
dist_builds := $(foreach arch,$(DIST_ARCHS),$(uname_$(arch))=$(abspath $(O))$(patsubst %,-%,$(filter-out $(native),$(arch)))/retsnoop.static)
# The package is built with another path for commands: what it leaves is built again.
dist: $(addprefix dist-,$(filter-out $(native),$(DIST_ARCHS))) | $(filter deb,$(MAKECMDGOALS))
	$(Q)$(MAKE) --no-print-directory static
	$(Q)scripts/make-dist $(abspath $(O)) $(VERSION) $(dist_builds)

.PHONY: dist-x86 dist-arm64
dist-x86 dist-arm64:
	$(Q)$(MAKE) --no-print-directory ARCH=$(@:dist-%=%) O=$(O)-$(@:dist-%=%) static

# The directory is known by the flags, whatever is built in it first.
$(O)/exec_path.h $(O)/no_decoders.o $(O)/tests/faults.so $(sample_files) $(man_pages) coverage: | $(O)/flags

.PHONY: clean
clean:
	$(Q)if [ -e $(O)/flags ]; then rm -rf $(O); \
	elif [ -e $(O) ]; then echo 'clean: $(O) is no build directory' >&2; exit 1; fi

.PHONY: version
version:
	@echo $(VERSION)

.PHONY: FORCE
FORCE:

# With other goals, `clean` must not run beside them, and make must not look for files that it removes.
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
else
-include $(shell find $(O) -name '*.d' -type f 2>/dev/null)
endif
