# SPDX-License-Identifier: BSD-2-Clause
# Build, check, demo, bench, install. `make help` lists the targets.

VERSION := 0.1.0

O ?= build
prefix ?= /usr/local
bindir ?= $(prefix)/bin
libexecdir ?= $(prefix)/libexec
mandir ?= $(prefix)/share/man
DESTDIR ?=

CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /sbin/bpftool) bpftool)
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
CC := gcc
endif

LIBS := libbpf libdw libelf zlib inih
CFLAGS ?= -O2 -g
WERROR ?= -Werror
warnings := -Wall -Wextra $(WERROR) -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
	    -Wwrite-strings -Wno-unused-parameter -Wno-missing-field-initializers
own_cflags := -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I. -I$(O) $(warnings) -pthread \
	      -DRETSNOOP_VERSION='"$(VERSION)"' -DRETSNOOP_EXEC_PATH='"$(libexecdir)/retsnoop"' \
	      -DRETSNOOP_INIH_VERSION='"$(shell $(PKG_CONFIG) --modversion inih)"'
lib_libs = $(shell $(PKG_CONFIG) --libs $(LIBS))
static_libs = $(shell $(PKG_CONFIG) --static --libs $(LIBS)) -lzstd -lbz2 -llzma

sources := $(sort $(wildcard util/*/*.c builtin/*.c))
objects := $(sources:%.c=$(O)/%.o)
simfail_objects := $(patsubst %.c,$(O)/%.o,$(sort $(wildcard cmd/simfail*.c)))
main_objects := $(O)/cmd/retsnoop.o
archive := $(O)/libretsnoop.a
programs := $(O)/retsnoop $(O)/simfail

# The BPF object comes in variants, for what the kernels' BTF makes differ (bpf/retsnoop.bpf.c).
bpf_variants := $(if $(wildcard bpf/retsnoop.bpf.c),session_void session_ctx nobtf)
bpf_skeletons := $(bpf_variants:%=$(O)/bpf/retsnoop_%.skel.h)
bpf_cflags := -target bpf -mcpu=v2 -O2 -g -Wall -Werror -I. \
	      -D__TARGET_ARCH_x86 -idirafter /usr/include/$(shell uname -m)-linux-gnu
bpf_flags_session_void := -DSESSION_KFUNCS_VOID
bpf_flags_session_ctx := -DSESSION_KFUNCS_CTX
bpf_flags_nobtf := -DNO_KERNEL_BTF

.PHONY: all
all: $(programs)

.PHONY: help
help:
	@echo 'make            build retsnoop and simfail into $(O)/'
	@echo 'make demo       set up what is missing and trace a failing call'
	@echo 'make check      set up what is missing and run all tests'
	@echo 'make bench      measure, side by side with what else there is'
	@echo 'make static     one static file: $(O)/retsnoop.static'
	@echo 'make man        manual pages'
	@echo 'make install    DESTDIR= prefix=$(prefix)'
	@echo 'make clean      remove $(O)/'
	@echo 'V=1 shows commands, O=DIR builds elsewhere, CC=clang works too'

$(O)/retsnoop: $(main_objects) $(archive)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^ $(lib_libs)

$(O)/simfail: $(simfail_objects)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^

$(archive): $(objects)
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# glibc's warning about dlopen in static programs concerns debuginfod and NSS, which are not used.
.PHONY: static
static: $(O)/retsnoop.static
$(O)/retsnoop.static: $(main_objects) $(archive)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -static -pthread -o $@ $^ $(static_libs)

# Flags are part of what an object depends on: a changed version or compiler rebuilds.
flags_text := $(CC) $(CFLAGS) $(own_cflags)
$(O)/flags: FORCE
	@mkdir -p $(O)
	@echo '$(subst ','\'',$(flags_text))' | cmp -s - $@ || echo '$(subst ','\'',$(flags_text))' > $@

$(O)/%.o: %.c $(O)/flags | $(bpf_skeletons)
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(own_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

$(O)/bpf/retsnoop_%.bpf.o: bpf/retsnoop.bpf.c Makefile
	$(say) BPF $@
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(bpf_cflags) $(bpf_flags_$*) -MMD -MP -c -o $@ $<
	$(Q)llvm-strip -g $@

$(O)/bpf/retsnoop_%.skel.h: $(O)/bpf/retsnoop_%.bpf.o
	$(say) SKEL $@
	$(Q)$(BPFTOOL) gen skeleton $< name retsnoop_$* > $@.tmp && mv $@.tmp $@

.PRECIOUS: $(O)/bpf/%.bpf.o

.PHONY: clean
clean:
	$(Q)rm -rf $(O)

.PHONY: FORCE
FORCE:

-include $(shell find $(O) -name '*.d' 2>/dev/null)
