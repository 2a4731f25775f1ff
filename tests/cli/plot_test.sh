#!/usr/bin/env bash
# Plots of records: what can be asked for, what is drawn, what is refused.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

# A ball that is dropped beside one that rolls, with a probe and awkward names.
cat >balls.toml <<'END'
oloid = 1
duration = 1
[[body]]
name = "ball"
mass = 1
material = "felt"
inertia = [[4e-3, 0, 0], [0, 4e-3, 0], [0, 0, 4e-3]]
position = [0, 0, 0.3]
angular_velocity = [0, 0, 3]
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "red, \"fast\""
mass = 1
material = "felt"
inertia = [[4e-3, 0, 0], [0, 4e-3, 0], [0, 0, 4e-3]]
position = [1, 0, 0.1]
velocity = [2, 0, 0]
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "table"
fixed = true
material = "felt"
shape = { type = "plane" }
[[material]]
name = "felt"
friction = 0.3
[[probe]]
name = "height"
formula = "cos(t) - 0.6"
unit = "m"
event = false
END
expect 0 run balls.toml -o balls.h5 --svg run.svg
exists balls.h5

# svg FILE: it is one, complete and well-formed, without numbers that are none.
svg() {
  exists "$1"
  says "$1" "</svg>"
  python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$1" 2>err || fail "$1 is not well-formed"
  if grep -qiE '[" ]-?(nan|inf)[" ]' "$1"; then fail "$1 has what is no number"; fi
  missing "$1.part"
}
curves() { grep -c '<path class="c [a-z ]*" d="M[0-9.]* [0-9.]*[LM]' "$1" || true; }

# Without --what: as `run --svg` draws it, but for the time it took; the name follows the record.
expect 0 plot balls.h5
silent err
says out "wrote balls.svg"
svg balls.svg
seconds() { sed 's/simulated in [^<]*//' "$1"; }
cmp -s <(seconds balls.svg) <(seconds run.svg) || fail "plot and run --svg differ"
for text in "Spin about the vertical [rad/s]" "Energy [J]" "Relative energy error" "Normal force [N]" "Slip speed" \
  "height [m]" "Mode" "time [s]" "prefers-color-scheme"; do says balls.svg "$text"; done

# By name: owners, parts, several in one panel.
expect 0 plot balls.h5 --what energy,gap,spin -o three.svg
svg three.svg
for text in "Energy [J]" "Gap [m]" "Spin [rad/s]" ">kinetic<" ">ball – table<"; do says three.svg "$text"; done
expect 0 plot balls.h5 --what 'ball.position.z+"red, \"fast\"".position.z' -o z.svg
says z.svg "Position z [m]"
[ "$(curves z.svg)" = 2 ] || fail "$(curves z.svg) curves instead of 2"
expect 0 plot balls.h5 --what ball.velocity -o v.svg
[ "$(curves v.svg)" = 3 ] || fail "$(curves v.svg) curves instead of 3"
says v.svg "Velocity, ball [m/s]"
expect 0 plot balls.h5 --what table-ball.gap,height,probes,mode -o gap.svg
says gap.svg "Gap, ball – table [m]"
says gap.svg 'class="separated"'
expect 0 plot balls.h5 --what energy.kinetic,energy_error,ball.velocity.norm,ball.position.up -o parts.svg
for text in "Energy kinetic [J]" "Velocity norm, ball" "Height, ball [m]"; do says parts.svg "$text"; done

# Which contact: by names or number.
for contact in ball,table table-ball 1; do
  expect 0 plot balls.h5 --what normal_force --contact "$contact" -o one.svg
  [ "$(curves one.svg)" = 1 ] || fail "--contact $contact: $(curves one.svg) curves"
  says one.svg "ball – table"
done

# A stretch of time, sizes, themes.
expect 0 plot balls.h5 --from 0.15 --to 0.5 --what energy,gap,mode --width 500 --height 420 --theme dark -o part.svg
svg part.svg
says part.svg 'width="500" height="420"'
says part.svg ">0.5<"
if grep -q "prefers-color-scheme" part.svg; then fail "a dark picture adapts"; fi
if grep -q ">0.6<" part.svg; then fail "the picture goes beyond --to"; fi
expect 0 plot balls.h5 --theme light -o light.svg
if grep -q "16181c" light.svg; then fail "a light picture has dark colours"; fi

# What there is.
expect 0 plot balls.h5 --list
for text in normal_force "[rad/s]" height "ball – table" "parts x, y, z"; do says out "$text"; done

# PNG: without rsvg-convert an error before any work (png_test.sh has the real one).
mkdir empty
code=0
PATH=$work/empty "$OLOID_BIN" plot balls.h5 -o none.png >out 2>err </dev/null || code=$?
[ "$code" = 3 ] || fail "without rsvg-convert: code $code"
says err "librsvg2-bin"
says err "SVG file instead"
missing none.png none.png.part
# A converter that fails, or makes nothing of use, is told with what it said; an earlier file stays.
mkdir broken
echo precious >old.png
for script in 'echo "out of ink" >&2; exit 7' 'echo not a picture' 'kill -9 $$'; do
  printf '#!/bin/sh\n%s\n' "$script" >broken/rsvg-convert
  chmod +x broken/rsvg-convert
  code=0
  PATH=$work/broken:$PATH "$OLOID_BIN" plot balls.h5 -o old.png >out 2>err </dev/null || code=$?
  [ "$code" = 3 ] || fail "a converter '$script': code $code"
  grep -qE '^oloid: rsvg-convert: .+ \(.+\)$' err || fail "a converter '$script': no clear error"
  [ "$(cat old.png)" = precious ] || fail "an earlier picture was damaged"
  missing old.png.part
done
printf '#!/bin/sh\necho "out of ink" >&2; exit 7\n' >broken/rsvg-convert
PATH=$work/broken:$PATH "$OLOID_BIN" plot balls.h5 -o old.png >out 2>err </dev/null || true
says err "exited with code 7: out of ink"

# refused CODE TEXT ARGUMENTS...: one error with a remedy, nothing is written.
refused() {
  local code=$1 text=$2
  shift 2
  expect "$code" plot "$@"
  silent out
  says err "$text"
  grep -qE '^oloid: .+: .+ \(.+\)$' err || fail "no clear refusal of $*"
  missing no.svg no.svg.part
}
refused 2 'did you mean gap?' balls.h5 --what gapp -o no.svg
refused 2 'did you mean ball.position.z?' balls.h5 --what bal.position.z -o no.svg
refused 2 'did you mean height?' balls.h5 --what hieght -o no.svg
refused 2 'available: probes, energy' balls.h5 --what weather -o no.svg
refused 2 'unknown quantity "table.energy"' balls.h5 --what table.energy -o no.svg
refused 2 'unknown quantity ""' balls.h5 --what gap,,slip -o no.svg
refused 2 'unclosed quote' balls.h5 --what '"ball.position' -o no.svg
refused 2 'cannot share an axis ([m] and [N])' balls.h5 --what gap+normal_force -o no.svg
refused 2 'cannot share an axis' balls.h5 --what mode+energy_error -o no.svg
refused 2 'unknown contact "ball,moon"' balls.h5 --contact ball,moon -o no.svg
refused 2 'unknown contact "9"' balls.h5 --contact 9 -o no.svg
refused 2 '.svg or .png' balls.h5 -o no.pdf
refused 2 'later than --from' balls.h5 --from 1 --to 0.5 -o no.svg
refused 2 'covers 0 to 1 s' balls.h5 --from 2 -o no.svg
refused 2 'frames at 0.1 and 0.11 s, but none between' balls.h5 --from 0.1001 --to 0.1002 -o no.svg
for option in --width --height --scale --from --to; do
  for number in nan inf; do
    expect 2 plot balls.h5 $option $number -o no.svg
    silent out
    says err "$option: $number is not a "
    missing no.svg no.svg.part
  done
done
refused 3 'cannot write the file' balls.h5 -o nowhere/x.svg
refused 1 'balls.toml' balls.toml -o no.svg
refused 1 'nothing.h5' nothing.h5 -o no.svg

# A ball that lies still: the energies are 0, and there is a picture of them, as high as asked for.
cat >still.toml <<'END'
oloid = 1
duration = 0.1
gravity = [0, 0, 0]
[[body]]
material = "felt"
name = "äääääääääääääääääääääääääääääääääää"
mass = 1
inertia = [4e-3, 4e-3, 4e-3]
position = [0, 0, 0.1]
shape = { type = "sphere", radius = 0.1 }
[[body]]
material = "felt"
name = "twin"
mass = 1
inertia = [4e-3, 4e-3, 4e-3]
position = [1, 0, 0.1]
shape = { type = "sphere", radius = 0.1 }
[[body]]
material = "felt"
name = "table"
fixed = true
shape = { type = "plane" }
[[material]]
name = "felt"
friction = 0.3
END
expect 0 run still.toml -o still.h5
expect 0 plot still.h5 --what energy --height 400
svg still.svg
says still.svg "Energy kinetic + potential [J]"
says still.svg 'height="400" role'
[ "$(curves still.svg)" = 1 ] || fail "$(curves still.svg) curves instead of 1"
# Names are cut between letters.
for width in 240 300 400 500 520 700 800; do
  expect 0 plot still.h5 --what mode --width $width -o cut.svg
  svg cut.svg
  says cut.svg "ä…<title>"
done

# What a killed run has left, and what recover makes of it.
scene endless.toml 1e4 1e-3
timeout -s KILL 1.7 "$OLOID_BIN" run endless.toml -o dead.h5 >/dev/null 2>&1 || true
expect 0 plot dead.h5.part --what celt.angular_velocity.up,mode
says out "wrote dead.svg"
svg dead.svg
says dead.svg "the run has not finished"
expect 0 recover dead.h5.part
expect 0 plot dead.h5 -o recovered.svg
says recovered.svg "recovered record"
# A record that the picture's part would overwrite.
cp dead.h5 live.svg.part
refused 2 'used twice' live.svg.part -o live.svg
cmp -s dead.h5 live.svg.part || fail "the record was overwritten"
echo "plot: all good"
