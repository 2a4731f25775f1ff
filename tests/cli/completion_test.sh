#!/usr/bin/env bash
# Shell completion, and what `list` tells.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

expect 0 completion bash
silent err
cp out oloid.bash
# shellcheck source=/dev/null
source ./oloid.bash
complete -p oloid >/dev/null || fail "nothing is registered"

# offers WORDS... -- EXPECTED...: with the last word being written.
offers() {
  local words=()
  while [ "$1" != -- ]; do
    words+=("$1")
    shift
  done
  shift
  COMP_WORDS=("${words[@]}")
  COMP_CWORD=$((${#words[@]} - 1))
  COMPREPLY=()
  _oloid
  local got want
  got=$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')
  want=$(printf '%s\n' "$@" | sort | tr '\n' ' ')
  [ "$got" = "$want" ] || fail "after '${words[*]}' it offers '$got' instead of '$want'"
}
offers oloid re -- replay recover
offers oloid ch -- check
offers oloid demo rolling -- rolling_ball
offers oloid run --c -- --csv --contacts --chart-crossings
offers oloid run scene.toml --sv -- --svg
offers oloid run scene.toml -o re --             # a file: the shell's own business
offers oloid run sc --                           # the same
offers oloid list ev -- events
offers oloid completion z -- zsh
offers oloid replay a.h5 --v -- --verify
offers oloid --ver -- --version
offers oloid plot a.h5 --what energy_ -- energy_error
offers oloid plot a.h5 --what energy,ga -- energy,gap
offers oloid plot a.h5 --theme d -- dark
offers oloid plot re --
offers oloid export a.h5 --g -- --gltf

# Every command that --help names is offered.
expect 0 --help
sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out >commands
[ "$(wc -l <commands)" -ge 9 ] || fail "commands are $(cat commands)"
"$OLOID_BIN" completion zsh >oloid.zsh
"$OLOID_BIN" completion fish >oloid.fish
while read -r command; do
  offers oloid "$command" -- "$command"
  says oloid.zsh "'$command:"
  says oloid.fish " -a $command "
done <commands
if command -v zsh >/dev/null; then zsh -n oloid.zsh || fail "zsh cannot read its script"; fi
if command -v fish >/dev/null; then fish -n oloid.fish || fail "fish cannot read its script"; fi
expect 2 completion tcsh
expect 2 list planets

expect 0 list
for name in rattleback cue_ball rolling_ball; do grep -qE "^$name +[A-Z]" out || fail "no line about $name"; done
while read -r name _; do
  [ -e "$OLOID_SCENES/$name.toml" ] || fail "there is no scene $name"
done <out
expect 0 list events
for name in impact mode_change probe stopped end; do grep -qE "^$name  +[a-z]" out || fail "no event $name"; done
expect 0 list modes
says out "rolling"
expect 0 list shapes
grep -qE '^torus +major_radius, minor_radius$' out || fail "no torus"

# Brackets in descriptions are escaped for _arguments; the file works autoloaded and sourced.
says oloid.zsh 'body\[0\].velocity=\[1,0,0\]'
says oloid.zsh 'if [ "$funcstack[1]" = _oloid ]; then'
says oloid.zsh '_oloid "$@"'
echo "completion: all good"
