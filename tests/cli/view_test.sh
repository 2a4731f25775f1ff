#!/usr/bin/env bash
# `oloid view` and `run --html`: the same page from a record and from the run, one file that asks for nothing else.
. "$(dirname "$0")/common.sh"

scene celt.toml 2 0.01
expect 0 run celt.toml -o celt.h5 --html run.html
says out "wrote run.html"
DISPLAY='' WAYLAND_DISPLAY='' expect 0 view celt.h5 --no-open
says out "wrote celt.html"
exists celt.html
cmp celt.html run.html || fail "a page of a record differs from that of its run"
! grep -qE '(src|href)="(https?:)?//' celt.html || fail "the page loads something"
missing celt.html.part

env -u DISPLAY -u WAYLAND_DISPLAY "$OLOID_BIN" view celt.h5 -o other.html >out 2>err || fail "view without a screen"
says out "open it in a browser: file://$PWD/other.html"

# What the desktop opens things with is given the page.
mkdir tools
printf '#!/bin/sh\necho "$1" >%s/opened\n' "$PWD" >tools/xdg-open
chmod +x tools/xdg-open
DISPLAY=:7 PATH=$PWD/tools:$PATH "$OLOID_BIN" view celt.h5 >out 2>err || fail "view with a screen"
says opened "$PWD/celt.html"

expect 1 view celt.toml
says err "celt.toml"
expect 1 view nothing.h5
expect 2 view celt.h5 -o celt.h5
closed_record celt.h5
expect 3 view celt.h5 -o no/such/folder/a.html
expect 2 run celt.toml --html run.html --svg run.html

# A record that a run has left behind is shown as far as it goes.
cp celt.h5 left.h5.part
expect 0 view left.h5.part --no-open
exists left.html
