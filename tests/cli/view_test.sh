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

# A scene is run first.
DISPLAY='' WAYLAND_DISPLAY='' expect 0 view celt.toml -o scene.html --no-open
exists scene.html
DISPLAY='' WAYLAND_DISPLAY='' expect 0 view cue_ball
exists cue_ball.html
expect 1 view cue_bal
says err "did you mean cue_ball"
expect 1 view nothing.h5
expect 2 view celt.h5 -o celt.h5
closed_record celt.h5
expect 3 view celt.h5 -o no/such/folder/a.html
expect 2 run celt.toml --html run.html --svg run.html

# A desktop that fails: the address is told instead.
printf '#!/bin/sh\nexit 3\n' >tools/xdg-open
DISPLAY=:7 PATH=$PWD/tools:$PATH "$OLOID_BIN" view celt.h5 -o 'a b#c.html' >out 2>err || fail "view with a broken screen"
says out "open it in a browser: file://$PWD/a%20b%23c.html"

# What a run that was killed has left behind is shown as far as it goes.
scene long.toml 100000 0.01
"$OLOID_BIN" run long.toml -o left.h5 >/dev/null 2>&1 &
run=$!
for _ in $(seq 100); do
  sleep 0.1
  "$OLOID_BIN" view left.h5.part -o begun.html --no-open >out 2>err && break
done
kill -9 $run
wait $run 2>/dev/null || true
expect 0 view left.h5.part --no-open
exists left.html
grep -q '"complete":false' left.html || fail "the page of a killed run seems complete"

# A link where the page is written first leads nowhere.
echo precious >kept
ln -s "$PWD/kept" celt.html.part
expect 0 view celt.h5 --no-open
says kept precious
