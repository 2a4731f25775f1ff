#!/usr/bin/env bash
# Help, version, and what is said to a command line that was not understood.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

expect 0 --help
silent err
for text in "oloid demo" "docs/tutorial.md" "oloid view" demo run check export plot distance replay recover list completion --version "Exit codes: 0 the run reached its end" \
  "1 invalid input" "2 incorrect usage" "3 output could not be written" "5 a repeated run differs from its record" "130 interrupted"; do
  says out "$text"
done

expect 0 run --help
for text in "scene" "-o,--output" --json --csv --svg "Example: oloid run"; do says out "$text"; done
expect 0 demo --help
for text in rattleback cue_ball rolling_ball "-o,--output" "Example: oloid demo"; do says out "$text"; done
expect 0 check --help
for text in "report all problems" "Example: oloid check"; do says out "$text"; done
expect 0 export --help
for text in record --gltf --obj --csv --at --contacts --tolerance metres "Example: oloid export"; do says out "$text"; done
expect 0 plot --help
for text in record --what --contact --from --to --width --height --theme --list "Example: oloid plot" librsvg2-bin; do
  says out "$text"
done
expect 0 distance --help
for text in scene --within --pair --json metres "Example: oloid distance" "Exit code 4"; do says out "$text"; done

expect 0 replay --help
for text in record --verify "Example: oloid replay" "5 different"; do says out "$text"; done
expect 0 recover --help
for text in part "-o,--output" "Example: oloid recover"; do says out "$text"; done
expect 0 list --help
for text in shapes "Example: oloid list"; do says out "$text"; done
expect 0 completion --help
for text in bash zsh fish "Example: source"; do says out "$text"; done

expect 0 --version
grep -qE '^oloid [0-9]+\.[0-9]+\.[0-9]+$' out || fail "--version says $(cat out)"

# Wrong usage: code 2, nothing on stdout, a hint on stderr.
wrong() {
  expect 2 "$@"
  silent out
  says err "--help"
}
wrong
wrong fly
wrong run
wrong check
wrong replay
wrong recover
wrong completion
wrong completion csh
wrong list planets
wrong export
wrong export "$OLOID_SCENES/rolling_ball.toml"
wrong export "$OLOID_SCENES/rolling_ball.toml" --obj x.obj --tolerance fine
wrong export "$OLOID_SCENES/rolling_ball.toml" --obj x.obj --at soon
wrong plot
wrong plot a.h5 --width 3
wrong plot a.h5 --theme blue
wrong plot a.h5 --what
wrong distance
wrong distance "$OLOID_SCENES/rolling_ball.toml" --pair ball
wrong distance "$OLOID_SCENES/rolling_ball.toml" --within near
wrong run "$OLOID_SCENES/rolling_ball.toml" --gif x.gif
wrong run "$OLOID_SCENES/rolling_ball.toml" --csv
wrong run "$OLOID_SCENES/rolling_ball.toml" another.toml

# What was probably meant.
expect 2 runn ball.toml
says err "Did you mean: oloid run ball.toml"
expect 2 run ball.toml --jsn a.json
says err "Did you mean: oloid run ball.toml --json a.json"
expect 2 ball.toml
says err "Did you mean: oloid run ball.toml"
expect 1 demo tipe_top
says err 'no built-in scene named "tipe_top" (did you mean tippe_top?)'
expect 1 demo thrown_bowl
says err 'use `oloid run scenes/thrown_bowl.toml`'
expect 0 --help
says out "stop_when"
if grep -q collision out; then fail "a collision does not end a run"; fi
expect 0 run --help
says out "--threads"
echo "help: all good"
