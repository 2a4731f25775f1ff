#!/usr/bin/env bash
# Reference cases that need methods to come are refused before anything is written, and say why.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

for file in "$OLOID_SCENES"/cases/to_come/*.toml; do
  case $(basename "$file") in
    block_slope*) text="surfaces that lie flat against each other, like a face on a plane, have no point contact" ;;
    compliant*) text="unknown key \`stiffness\`" ;;
    *) fail "$file: nothing is expected of it" ;;
  esac
  expect 1 run "$file" -o to_come.h5 --json to_come.json
  silent out
  says err "$text"
  missing to_come.h5 to_come.json to_come.h5.part to_come.json.part
done
echo "to come: all say why"
