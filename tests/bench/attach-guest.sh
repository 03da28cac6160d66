#!/bin/sh
# In a guest: what attaching and leaving N functions costs, by rung.
# usage: attach-guest.sh "RUNG..." "N..."
retsnoop funcs '*bpf*' '*sys_*' | grep -v '\[' > /tmp/all
printf '%-16s %8s %10s %10s %10s\n' rung functions load_ms attach_ms detach_ms
for n in $2; do
	head -n "$n" /tmp/all > /tmp/some
	for rung in $1; do
		retsnoop stack -v --attach="$rung" -e @/tmp/some --duration 0.1 > /dev/null 2> /tmp/log
		value() { sed -n "s/^$1 \([0-9]*\) ms.*/\1/p" /tmp/log | tail -n 1; }
		printf '%-16s %8s %10s %10s %10s\n' "$rung" \
			"$(sed -n 's/^Total \([0-9]*\) kernel.*/\1/p' /tmp/log)" \
			"$(value 'Loaded BPF programs in')" "$(value 'Successfully attached in')" \
			"$(value 'DONE in')"
	done
done
