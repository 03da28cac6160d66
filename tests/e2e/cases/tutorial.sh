#!/bin/sh
# What the tutorial and README.md show, done again.
# machines: lbr
# kernels: 6.1
# changes the machine: removes /srv/build
. "${0%/*}/../lib.sh"
. "${0%/*}/../follow.sh"
limit=300	# emulated all by itself, and reading debug info

follow Documentation/retsnoop-tutorial.md
[ ! -d /srv/build ] || rm -r /srv/build
follow README.md
