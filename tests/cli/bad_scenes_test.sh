#!/usr/bin/env bash
# Scenes with one thing wrong: refused with the place (file:line:column) and a remedy in brackets, nothing is written.
# The first line of each says what is expected, after the name of the file for `# expect-cli:`. What some include is in parts/.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

count=0
for file in "$OLOID_TEST_DATA"/scenes_bad/*.toml; do
  name=$(basename "$file")
  first=$(head -n 1 "$file")
  case $first in
    "# expect-cli: "*) text="$name${first#\# expect-cli: }" ;;
    "# expect: "*) text=${first#\# expect: } ;;
    *) fail "$name does not say what to expect" ;;
  esac
  expect 1 check "$file"
  silent out
  says err "$text"
  grep -qE "^oloid: ($file|${file%/*}/parts/[a-z_]+\.toml):[0-9]+:[0-9]+.*: .+ \(.+\)\$" err || fail "$name: no place or no remedy"
  if grep -qvE '^oloid: .+ \(.+\)$' err; then fail "$name: a line that is not an error with a remedy"; fi
  # run says the same and writes nothing.
  cp err check_err
  expect 1 run "$file" -o bad.h5 --json bad.json --csv bad.csv --svg bad.svg
  silent out
  cmp -s err check_err || fail "$name: run and check disagree"
  missing bad.h5 bad.json bad.csv bad.svg bad.h5.part bad.json.part bad.csv.part bad.svg.part
  count=$((count + 1))
done
[ "$count" -ge 25 ] || fail "only $count bad scenes"

# Files that are no scenes at all.
no_scene() {
  expect 1 check "$1"
  silent out
  says err "$2"
  grep -qE '\(.+\)$' err || fail "$1: no remedy"
}
no_scene missing.toml "missing.toml: cannot open the file"
no_scene . "directory"
: >empty.toml
no_scene empty.toml "empty"
head -c 3000 /dev/zero >zeros.toml
no_scene zeros.toml "zeros.toml:1:"
head -c 20000 "$OLOID_BIN" >binary.toml
no_scene binary.toml "not valid TOML"

# A scene that is not good is told with all its errors at once.
printf 'oloid = 1\nduration = "long"\n[[body]]\nname = "a"\nmass = nan\nshape.type = "cube"\n' >three.toml
expect 1 check three.toml
[ "$(wc -l <err)" = 3 ] || fail "expected three errors"

# What a refusal proposes is accepted.
scene deep.toml 1 0.01
sed -i 's/^position = .*/position = [0.3, 0.2, 0.001]/' deep.toml
expect 1 check deep.toml
says err "the bodies overlap at the start by 0.009 m"
sed -i "s/^position = .*/$(sed -n 's/.*(use \(position = \[.*\]\))$/\1/p' err)/" deep.toml
expect 0 check deep.toml
says out "deep.toml is valid"
says out '"celt" starts rolling on "table" at [0.3'

# All scenes that come with the program are good.
for file in "$OLOID_SCENES"/*.toml "$OLOID_SCENES"/cases/*.toml "$OLOID_TEST_DATA"/scenes_good/*.toml; do
  expect 0 check "$file"
  silent err
done
echo "bad scenes: $count kinds refused"
