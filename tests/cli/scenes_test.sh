#!/usr/bin/env bash
# Every scene of the gallery begins to run and writes all its outputs. Short, so that sanitizers can watch.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

for scene in "$OLOID_SCENES"/*.toml; do
  if grep -q subdivision "$scene"; then continue; fi # a minute each under sanitizers
  expect 0 run "$scene" --set duration=0.05 --set output.dt=0.01 -o run.h5 --csv run.csv --json run.json --svg run.svg --html run.html
  exists run.h5 run.csv run.json run.svg run.html
done

# By name alone; the run says how to look at it, unless it wrote something.
expect 0 run cue_ball --set duration=0.05
says out "to look at it: oloid view cue_ball"
expect 0 run cue_ball --set duration=0.05 --json run.json
! grep -q "to look at it" out || fail "a hint although there is a file"
expect 0 check cue_ball
expect 1 run cue_bal
says err "did you mean cue_ball"
