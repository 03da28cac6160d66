// SPDX-License-Identifier: BSD-2-Clause
/* Places that trimming asks for, by symbols made up. */
#include "kernel_fixture.h"
#include "unit.h"

#include "util/kernel/arch/arch.h"
#include "util/trace/branches/branch_places.h"

#define BASE 0xffffffff81000000ull

static const char kallsyms[] = "ffffffff81000000 T _stext\n"
			       "ffffffff81001000 T __x64_sys_bpf\n"
			       "ffffffff81001000 T __do_sys_bpf\n"
			       "ffffffff81002000 t array_map_alloc_check\n"
			       "ffffffff81002100 t array_map_alloc_check_size\n"
			       "ffffffff81003000 T ftrace_caller\n"
			       "ffffffff81003100 T bpf_prog_load\n"
			       "ffffffff81004000 t array_map_alloc_check.cold\n"
			       "ffffffff81004040 t array_map_alloc_check_size.cold\n"
			       "ffffffff81004080 t __do_sys_bpf.cold\n"
			       "ffffffff81005000 T __irqentry_text_start\n"
			       "ffffffff81005000 T irq_entries_start\n"
			       "ffffffff81005800 T asm_exc_page_fault\n"
			       "ffffffff81005820 T asm_sysvec_apic_timer_interrupt\n"
			       "ffffffff81005840 T __irqentry_text_end\n"
			       "ffffffff81005840 t common_interrupt_return\n"
			       "ffffffff81005880 T restore_regs_and_return_to_kernel\n"
			       "ffffffff810058a0 T native_irq_return_iret\n"
			       "ffffffff810058b0 T asm_load_gs_index\n"
			       "ffffffff81005a00 T __pi___x86_return_thunk\n"
			       "ffffffff81005a00 T __x86_return_thunk\n"
			       "ffffffff81006000 T _etext\n"
			       "ffffffffc0100000 t array_map_alloc_check.cold	[other]\n"
			       "ffffffffc0101000 t nf_hook	[nf_tables]\n"
			       "ffffffffc0101080 t nf_hook.cold	[nf_tables]\n"
			       "ffffffffc0101100 t asm_exc_page_fault	[nf_tables]\n"
			       "ffffffffc0200000 t bpf_trampoline_6442455517	[bpf]\n"
			       "ffffffffc0201000 t bpf_prog_4fa3b7dd1c0dcd1f_exit	[bpf]\n"
			       "ffffffffc0202000 t bpf_end	[bpf]\n";

/* Other CPUs' kernels have none. */
static enum code_kind return_thunk(void)
{
	return arch_native == &arch_x86 ? CODE_THUNK : CODE_OTHER;
}

FIXTURE(branch_places)
{
	struct symbols *symbols;
	struct plan_func func;
	struct branch_places places;
	struct branch_place_rules rules;
};

FIXTURE_SETUP(branch_places)
{
	self->symbols = make_symbols(kallsyms);
	self->func = (struct plan_func){ .addr = BASE + 0x2000,
					 .size = 0x100,
					 .name = "array_map_alloc_check" };
	self->places = (struct branch_places){ .symbols = self->symbols, .func = &self->func };
	self->rules = branch_places_rules(&self->places);
}

FIXTURE_TEARDOWN(branch_places)
{
	symbols_free(self->symbols);
}

#define IN_FUNCTION(at) self->rules.in_function(self->rules.arg, at)
#define PLACE(at) self->rules.place(self->rules.arg, at).kind

TEST_F(branch_places, a_function_is_as_large_as_it_is)
{
	EXPECT_FALSE(IN_FUNCTION(BASE + 0x1fff));
	EXPECT_TRUE(IN_FUNCTION(BASE + 0x2000));
	EXPECT_TRUE(IN_FUNCTION(BASE + 0x20ff));
	EXPECT_FALSE(IN_FUNCTION(BASE + 0x2100));
	/* ... or as its symbol says. */
	self->func.size = 0;
	EXPECT_FALSE(IN_FUNCTION(BASE + 0x1fff));
	EXPECT_TRUE(IN_FUNCTION(BASE + 0x2000));
	EXPECT_TRUE(IN_FUNCTION(BASE + 0x20ff));
	EXPECT_FALSE(IN_FUNCTION(BASE + 0x2100));
	EXPECT_FALSE(IN_FUNCTION(0));
	EXPECT_FALSE(IN_FUNCTION(~0ull));
}

TEST_F(branch_places, cold_parts_are_the_functions)
{
	EXPECT_TRUE(IN_FUNCTION(BASE + 0x4000));
	EXPECT_TRUE(IN_FUNCTION(BASE + 0x403f));
	EXPECT_FALSE(IN_FUNCTION(BASE + 0x4040));
	/* Another one's of that name. */
	EXPECT_FALSE(IN_FUNCTION(0xffffffffc0100010));
	self->func = (struct plan_func){
		.addr = 0xffffffffc0101000, .size = 0x80, .name = "nf_hook", .module = "nf_tables"
	};
	EXPECT_TRUE(IN_FUNCTION(0xffffffffc0101090));
}

TEST_F(branch_places, a_cold_part_may_have_another_of_the_functions_names)
{
	self->func =
		(struct plan_func){ .addr = BASE + 0x1000, .size = 0x100, .name = "__x64_sys_bpf" };
	EXPECT_TRUE(IN_FUNCTION(BASE + 0x4080));
	EXPECT_FALSE(IN_FUNCTION(BASE + 0x4040));
}

TEST_F(branch_places, what_tracing_put_there)
{
	EXPECT_EQ(CODE_TRACING, PLACE(BASE + 0x3010));
	EXPECT_EQ(CODE_TRAMPOLINE, PLACE(0xffffffffc0200010));
	/* Not in the table yet. */
	EXPECT_EQ(CODE_TRAMPOLINE, PLACE(0xffffffffff000000));
	EXPECT_EQ(CODE_PROGRAM, PLACE(0xffffffffc0201010));
	EXPECT_EQ(CODE_OTHER, PLACE(BASE + 0x2000));
	EXPECT_EQ(CODE_OTHER, PLACE(BASE + 0x3110));
	/* Where the compiler or the linker has other names. */
	EXPECT_EQ(return_thunk(), PLACE(BASE + 0x5a00));
	EXPECT_EQ(return_thunk(), PLACE(BASE + 0x5a04));
}

TEST_F(branch_places, a_place_is_so_far_into_its_function)
{
	EXPECT_EQ(0, self->rules.place(self->rules.arg, BASE + 0x2000).offset);
	EXPECT_EQ(0xff, self->rules.place(self->rules.arg, BASE + 0x20ff).offset);
	EXPECT_EQ(0x10, self->rules.place(self->rules.arg, 0xffffffffc0200010).offset);
	/* Nobody can say that it starts here. */
	EXPECT_NE(0, self->rules.place(self->rules.arg, 0xffffffffff000000).offset);
}

TEST_F(branch_places, interrupts_begin_and_end_in_known_places)
{
	EXPECT_EQ(CODE_INTERRUPT_ENTRY, PLACE(BASE + 0x5000));
	EXPECT_EQ(CODE_INTERRUPT_ENTRY, PLACE(BASE + 0x5128));
	EXPECT_EQ(CODE_INTERRUPT_ENTRY, PLACE(BASE + 0x5800));
	EXPECT_EQ(CODE_INTERRUPT, PLACE(BASE + 0x5804));
	EXPECT_EQ(CODE_INTERRUPT_ENTRY, PLACE(BASE + 0x5820));
	EXPECT_EQ(CODE_INTERRUPT, PLACE(BASE + 0x583f));
	EXPECT_EQ(CODE_INTERRUPT, PLACE(BASE + 0x5840));
	EXPECT_EQ(CODE_INTERRUPT_EXIT, PLACE(BASE + 0x5890));
	EXPECT_EQ(CODE_INTERRUPT_EXIT, PLACE(BASE + 0x58a0));
	EXPECT_EQ(CODE_OTHER, PLACE(BASE + 0x58b0));
	EXPECT_EQ(CODE_OTHER, PLACE(BASE + 0x2000));
	EXPECT_EQ(CODE_OTHER, PLACE(0xffffffffc0101100));
}

TEST_F(branch_places, what_is_traced)
{
	struct plan plan = { .funcs = { &self->func, 1, 1 } };
	struct plan_index index = {};

	/* Not known, it may be. */
	EXPECT_TRUE(self->rules.is_traced(self->rules.arg, BASE + 0x1000));
	ASSERT_EQ(0, plan_index_fill(&index, &plan));
	self->places.plan = &plan;
	self->places.index = &index;
	EXPECT_FALSE(self->rules.is_traced(self->rules.arg, BASE + 0x1000));
	EXPECT_TRUE(self->rules.is_traced(self->rules.arg, BASE + 0x2010));
	plan_index_release(&index);
}

TEST_F(branch_places, without_symbols_only_the_function_is_known)
{
	self->places.symbols = NULL;
	EXPECT_TRUE(IN_FUNCTION(BASE + 0x2000));
	EXPECT_FALSE(IN_FUNCTION(BASE + 0x4000));
	EXPECT_EQ(CODE_OTHER, PLACE(BASE + 0x3010));
	EXPECT_EQ(CODE_OTHER, PLACE(BASE + 0x5000));
	self->places.func = NULL;
	EXPECT_FALSE(IN_FUNCTION(BASE + 0x2000));
}

TEST(names_of_cold_parts)
{
	EXPECT_TRUE(is_cold_part_of("f.cold", "f"));
	EXPECT_TRUE(is_cold_part_of("f.cold.12", "f"));
	EXPECT_TRUE(is_cold_part_of("f.part.0.cold", "f"));
	EXPECT_TRUE(is_cold_part_of("f.constprop.0.isra.0.cold", "f"));
	EXPECT_TRUE(is_cold_part_of("f.constprop.0.cold", "f.constprop.0"));
	EXPECT_TRUE(is_cold_part_of("f.llvm.123456.cold.1", "f"));
	EXPECT_FALSE(is_cold_part_of("f", "f"));
	EXPECT_FALSE(is_cold_part_of("f.part.0", "f"));
	EXPECT_FALSE(is_cold_part_of("f.coldish", "f"));
	EXPECT_FALSE(is_cold_part_of("f.cold.text", "f"));
	EXPECT_FALSE(is_cold_part_of("f_g.cold", "f"));
	EXPECT_FALSE(is_cold_part_of("g.cold", "f"));
	EXPECT_FALSE(is_cold_part_of("f..cold", "f"));
	EXPECT_FALSE(is_cold_part_of("f.", "f"));
	EXPECT_FALSE(is_cold_part_of("f.cold", "f.cold"));
	EXPECT_FALSE(is_cold_part_of(NULL, "f"));
}

#define KIND(symbol, module, offset) code_place_by_name(symbol, module, offset).kind

TEST(names_of_interrupt_code)
{
	EXPECT_EQ(CODE_INTERRUPT_ENTRY, KIND("asm_sysvec_call_function", NULL, 0));
	EXPECT_EQ(CODE_INTERRUPT_ENTRY, KIND("asm_common_interrupt", NULL, 0));
	EXPECT_EQ(CODE_INTERRUPT_ENTRY, KIND("asm_fred_entrypoint_kernel", NULL, 0));
	EXPECT_EQ(CODE_INTERRUPT, KIND("asm_fred_entrypoint_kernel", NULL, 8));
	EXPECT_EQ(CODE_INTERRUPT, KIND("asm_call_irq_on_stack", NULL, 0));
	EXPECT_EQ(CODE_INTERRUPT, KIND("el1h_64_irq", NULL, 0));
	EXPECT_EQ(CODE_INTERRUPT_EXIT, KIND("nmi_restore", NULL, 9));
	EXPECT_EQ(CODE_OTHER, KIND("asm_load_gs_index", NULL, 0));
	EXPECT_EQ(CODE_OTHER, KIND("sysvec_apic_timer_interrupt", NULL, 0));
	EXPECT_EQ(CODE_OTHER, KIND("entry_SYSCALL_64", NULL, 0));
	EXPECT_EQ(CODE_OTHER, KIND("", NULL, 0));
	EXPECT_TRUE(code_place_by_name("asm_exc_int3", NULL, 0).is_breakpoint);
	EXPECT_TRUE(code_place_by_name("asm_exc_int3", NULL, 9).is_breakpoint);
	EXPECT_FALSE(code_place_by_name("asm_exc_page_fault", NULL, 0).is_breakpoint);
}

TEST(names_of_what_tracing_runs)
{
	EXPECT_EQ(CODE_TRACING, KIND("__bpf_prog_enter_recur", NULL, 0));
	EXPECT_EQ(CODE_TRACING, KIND("arch_rethook_trampoline", NULL, 0));
	EXPECT_EQ(CODE_OTHER, KIND("migrate_disable", NULL, 0));
	EXPECT_EQ(CODE_TRAMPOLINE, KIND("bpf_trampoline_6442455517", "bpf", 0));
	EXPECT_EQ(CODE_TRAMPOLINE, KIND("ftrace_trampoline", "ftrace", 0));
	EXPECT_EQ(CODE_TRAMPOLINE, KIND("kprobe_optinsn_page", "kprobes", 0));
	EXPECT_EQ(CODE_PROGRAM, KIND("bpf_prog_4fa3b7dd1c0dcd1f_exit", "bpf", 0));
	EXPECT_EQ(CODE_PROGRAM, KIND("bpf_prog_4fa3b7dd1c0dcd1f", "bpf", 0));
	EXPECT_EQ(CODE_PROGRAM, KIND("bpf_prog_4fa3b7dd1c0dcd1f_my_exit_tracing", "bpf", 0));
	EXPECT_EQ(CODE_TRACING_PROGRAM, KIND("bpf_prog_b7fd6ba11f65c149_exit_tracing", "bpf", 0));
	EXPECT_EQ(CODE_TRACING_PROGRAM,
		  KIND("bpf_prog_b7fd6ba11f65c149_exit_kprobe_mul", "bpf", 0));
	EXPECT_EQ(CODE_OTHER, KIND("bpf_prog_b7fd6ba11f65c149_exit_tracing", NULL, 0));
	/* The kernel's own ways to programs. */
	EXPECT_EQ(CODE_OTHER, KIND("bpf_dispatcher_xdp", "bpf", 0));
	EXPECT_EQ(CODE_OTHER, KIND("bpf__tcp_congestion_ops_init", "bpf", 0));
	EXPECT_EQ(CODE_OTHER, KIND("bpf_prog_load", NULL, 0));
	EXPECT_EQ(return_thunk(), KIND("its_return_thunk", NULL, 0));
	EXPECT_EQ(return_thunk(), KIND("srso_alias_safe_ret", NULL, 0));
	EXPECT_EQ(CODE_OTHER, KIND("set_return_thunk", "other", 0));
}

TEST_HARNESS_MAIN
