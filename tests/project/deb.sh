#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the Debian packages, takes away all that they were made with, installs and uses them. For a machine that is
# thrown away, as root:
#   .ci/bare-machine bookworm tests/project/deb.sh
set -eux
export DEBIAN_FRONTEND=noninteractive
tools="g++ cmake ninja-build python3-pip libcli11-dev nlohmann-json3-dev dpkg-dev file"
install() { apt-get install -y --no-install-recommends "$@"; }
elsewhere=$(mktemp -d)
chmod 755 "$elsewhere" # apt reads as a user of its own

apt-get update
# shellcheck disable=SC2086 # a list
install $tools
cmake --workflow --preset deb
mv build/deb/*.deb tests/public/consumer examples/stencil "$elsewhere"
rm -r build lib
# shellcheck disable=SC2086
apt-get purge -y --auto-remove $tools

install "$elsewhere"/ado-miniapp_*.deb man-db zsh
miniapp --help
miniapp --algorithm all --variant team --sets 9 --length 17 --vectors 33 --rows 65 --cols 129 --elements 1001 \
  --chunks 3 --chunk-elements 1001 --reps 2
man miniapp | grep compare
# shellcheck disable=SC2016 # zsh expands it
zsh -c 'autoload compinit && compinit -D && echo $_comps[miniapp]' | grep _miniapp
grep '"SPDX-2.3"' /usr/share/ado/ado.spdx.json

begin=$(date +%s)
install "$elsewhere"/libado-dev_*.deb g++ cmake make
cmake -S "$elsewhere/consumer" -B "$elsewhere/build"
cmake --build "$elsewhere/build"
"$elsewhere/build/consumer"
cmake -S "$elsewhere/stencil" -B "$elsewhere/kernels"
cmake --build "$elsewhere/kernels"
"$elsewhere/kernels/stencil" --planes 64 --rows 65 --cols 66 --reps 3
echo "from the packages to both tables: $(($(date +%s) - begin)) s"
