#!/usr/bin/env bash
# Bodies that touch in a way that is not simulated stop at once, with the reason that the first line of each scene gives:
# check says so, run keeps what it has and returns 4.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

for file in "$OLOID_TEST_DATA"/scenes_ending/*.toml "$OLOID_SCENES"/cases/to_come/block_slope*.toml; do
  first=$(head -n 1 "$file")
  case $first in
    "# ends: "*) text=${first#\# ends: } ;;
    *) text="touch along a line or over a face" ;;
  esac
  expect 0 check "$file"
  says out "will stop at once"
  says out "$text"
  expect 4 run "$file" -o end.h5 --json end.json
  says out "unsupported_contact"
  says out "$text"
  closed_record end.h5
  says end.json '"unsupported_contact"'
done

# With others beside them these go on, unless the run is to end.
cat >two.toml <<'TOML'
oloid = 1
duration = 0.5
[[material]]
name = "m"
friction = 0.3
[[body]]
name = "table"
fixed = true
material = "m"
shape.type = "plane"
[[body]]
name = "box"
density = 600
material = "m"
position = [0, 0, 0.02]
shape = { type = "box", size = [0.1, 0.1, 0.04] }
[[body]]
name = "ball"
density = 600
material = "m"
position = [1, 0, 0.5]
shape = { type = "sphere", radius = 0.1 }
TOML
expect 4 run two.toml
says out "two: 0.5 s simulated"
says out "impact of ball and table"
expect 4 run two.toml --stop-on-end -o two.h5
says out "two: 0 s of 0.5 s simulated"
expect 0 replay two.h5 --verify
echo "endings: all say why"
