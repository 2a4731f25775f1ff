#!/usr/bin/env bash
# Every scene of the gallery begins to run and writes all its outputs. Short, so that sanitizers can watch.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

for scene in "$OLOID_SCENES"/*.toml; do
  if grep -q subdivision "$scene"; then continue; fi # a minute each under sanitizers
  expect 0 run "$scene" --set duration=0.05 --set output.dt=0.01 -o run.h5 --csv run.csv --json run.json --svg run.svg --html run.html
  exists run.h5 run.csv run.json run.svg run.html
done
