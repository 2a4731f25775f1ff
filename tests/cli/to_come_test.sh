#!/usr/bin/env bash
# Reference cases that need keys to come are refused before anything is written, and say why. endings_test.sh has the others.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

for file in "$OLOID_SCENES"/cases/to_come/compliant*.toml; do
  expect 1 run "$file" -o to_come.h5 --json to_come.json
  silent out
  says err "unknown key \`stiffness\`"
  missing to_come.h5 to_come.json to_come.h5.part to_come.json.part
done
echo "to come: all say why"
