#!/usr/bin/env bash
# Probes: recorded everywhere, refused with a remedy.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

scene probed.toml 0.5 0.05
cat >>probed.toml <<'END'
[[probe]]
name = "height"
formula = "celt.z - 0.0101"
unit = "m"
[[probe]]
name = "work"
formula = "energy.kinetic + energy.potential"
unit = "J"
event = false
[[probe]]
name = "clock"
formula = "2 * t"
END
expect 0 run probed.toml -o probed.h5 --json probed.json --csv probed.csv --svg probed.svg
closed_record probed.h5
for text in '"name": "height"' '"unit": "m"' '"formula": "celt.z - 0.0101"' '"zeros"' '"min"' '"max"'; do
  says probed.json "$text"
done
head -n 1 probed.csv | grep -q ',height \[m\],work \[J\],clock$' || fail "columns are $(head -n 1 probed.csv)"
# The column of a formula is the formula of a column.
awk -F, 'NR > 1 && ($NF != 2 * $1) { exit 1 }' probed.csv || fail "the clock is wrong"
says probed.svg "height [m]"
says probed.svg "clock"
if command -v h5dump >/dev/null; then
  h5dump -H -d /probes/clock probed.h5 >/dev/null || fail "no dataset /probes/clock"
fi

# Probes do not touch the motion.
scene plain.toml 0.5 0.05
expect 0 run plain.toml --json plain.json
hash_of() { sed -n 's/^  "hash": "\(.*\)",$/\1/p' "$1"; }
[ -n "$(hash_of plain.json)" ] || fail "no hash"
[ "$(hash_of plain.json)" = "$(hash_of probed.json)" ] || fail "a probe has changed the motion"
echo "probes: all good"
