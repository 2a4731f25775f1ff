#!/usr/bin/env bash
# Plots as PNG, made by the real rsvg-convert.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

if ! command -v rsvg-convert >/dev/null; then
  echo "SKIPPED: rsvg-convert is missing (scripts/setup ci installs it)"
  exit 77
fi

# number FILE OFFSET: four bytes of a file, the highest first.
number() { echo $((16#$(od -An -tx1 -j"$2" -N4 "$1" | tr -d ' \n'))); }

expect 0 run "$OLOID_SCENES/cue_ball.toml" -o ball.h5
expect 0 plot ball.h5 -o ball.png --width 600 --scale 1
silent err
says out "wrote ball.png"
missing ball.png.part
[ "$(od -An -tx1 -N8 ball.png | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "ball.png is no PNG"
[ "$(number ball.png 16)" = 600 ] || fail "ball.png is $(number ball.png 16) pixels wide"

# Twice as fine unless told otherwise, and as high as the SVG says.
expect 0 plot ball.h5 --what energy -o energy.svg --height 300
expect 0 plot ball.h5 --what energy -o energy.PNG --height 300
[ "$(number energy.PNG 16) $(number energy.PNG 20)" = "1920 600" ] || fail "energy.PNG has another size"
says energy.svg 'height="300"'

# The picture is not blank: its pixels take room when compressed. Dark is not light: the bytes differ.
expect 0 plot ball.h5 --what energy -o dark.png --height 300 --theme dark
if cmp -s dark.png energy.PNG; then fail "dark is light"; fi
[ "$(wc -c <energy.PNG)" -gt 10000 ] || fail "nothing was drawn"

# The folder of the program may be named relative to here.
mkdir tools
ln -s "$(command -v rsvg-convert)" tools/rsvg-convert
code=0
PATH=tools "$OLOID_BIN" plot ball.h5 --what energy -o relative.png --height 300 >out 2>err </dev/null || code=$?
[ "$code" = 0 ] || fail "a relative PATH: code $code"
cmp -s relative.png energy.PNG || fail "a relative PATH gives another picture"
echo "png: all good"
