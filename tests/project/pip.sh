#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs ado with pip, takes away the sources, and uses it. For a machine that is thrown away, as root:
#   .ci/bare-machine bookworm tests/project/pip.sh
set -eux
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends g++ python3-venv libcli11-dev nlohmann-json3-dev
python3 -m venv /tmp/ado
begin=$(date +%s)
/tmp/ado/bin/pip install --quiet .
echo "pip install: $(($(date +%s) - begin)) s, $(du -sm /tmp/ado/lib/python3*/site-packages/ado_program | cut -f 1) MB"
rm -rf build lib benchmarks python
cd /tmp
PATH=/tmp/ado/bin:$PATH

ado help | grep 'ado report FILE'
ado explain limiter | grep memory
ado list | grep kokkos
ado run --algorithm all --variant team --sets 9 --length 17 --vectors 33 --rows 65 --cols 129 --elements 1001 \
  --chunks 3 --chunk-elements 1001 --reps 12 --json a.json | tee screen.txt
grep 'ado explain table says' screen.txt
ado compare a.json a.json | grep '^0 slower'
ado report a.json
ado export google-benchmark a.json | grep _median >/dev/null
grep '0_ratios' report.html >/dev/null
