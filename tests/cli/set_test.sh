#!/usr/bin/env bash
# Parameters, include and --set as a user meets them, for every command that takes a scene; the schema for editors.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

mkdir parts
cat >parts/table.toml <<'END'
oloid = 1
[parameters]
mu = 0.2
[[body]]
name = "table"
fixed = true
material = "felt"
shape.type = "plane"
[[material]]
name = "felt"
friction = "mu"
END
cat >ball.toml <<'END'
oloid = 1
include = "parts/table.toml"
duration = "T/2"
[parameters]
T = 1
r = 0.05
m = "4/3*pi*r^3*1000"
[[body]]
name = "ball"
material = "felt"
mass = "m"
inertia = ["0.4*m*r^2", "0.4*m*r^2", "0.4*m*r^2"]
position = [0, 0, "r"]
velocity = ["r*20", 0, 0]
shape = { type = "sphere", radius = "r" }
END
expect 0 check ball.toml
silent err
says out '"ball" starts sliding on "table" at [0, 0, 0.05]'
says out "ball: sphere, closed, volume 0.000523599 m3"

# The ball grips at t = 2 v / (7 mu g).
expect 0 run ball.toml -o ball.h5
says out "mode_change: sliding -> rolling"
says out "t = 0.145623999"
closed_record ball.h5
expect 0 run ball.toml --set parameters.mu=0.4 --set 'body.ball.velocity=[2, 0, 0]' --set duration=0.2 -o set.h5
says out "ball: 0.2 s simulated"
says out "t = 0.145623999"
closed_record set.h5
for text in "parameters.mu=0.4" "body.ball.velocity=[2, 0, 0]" "duration=0.2" "parts/table.toml" 'friction = "mu"'; do
  grep -qaF -- "$text" set.h5 || fail "the record does not keep $text"
done

expect 0 check ball.toml --set parameters.r=0.1
says out "volume 0.00418879 m3"
expect 0 check ball.toml --set 'body[1].position=[0, 0, "2*r"]'
says out '"ball" starts in flight at [0, 0, 0.1]'
expect 0 distance ball.toml --set 'body.ball.position[2]=3*r'
says out "0.1 "
expect 0 export ball.toml --obj ball.obj --set 'body.ball.shape={ type = "ellipsoid", semi_axes = ["2*r", "3*r", "r"] }'
says out "wrote ball.obj"
expect 0 demo cue_ball --set duration=0.1 --set solver.rtol=1e-9 -o cue.h5 --svg cue.svg
says out "0.1 s simulated"

# Wrong ones: refused with the option as the place; nothing is written.
refused() {
  local text=$1
  shift
  expect 1 run ball.toml -o no.h5 "$@"
  silent out
  says err "$text"
  missing no.h5 no.h5.part
}
refused 'oloid: --set body.bal.mass=2: no body named "bal" (did you mean body.ball?)' --set body.bal.mass=2
refused 'oloid: --set parameters.rr=2: the scene has no parameter "rr" (did you mean parameters.r?)' --set parameters.rr=2
refused 'oloid: --set solvr.rtol=1 solvr: unknown key `solvr` (did you mean `solver`?)' --set solvr.rtol=1
refused 'oloid: --set body.ball.velocity=[1,0] body[1].velocity: expected 3 numbers' --set 'body.ball.velocity=[1,0]'
refused 'oloid: --set body.ball.mass=-1 body[1].mass: mass is -1' --set body.ball.mass=-1
refused 'oloid: --set duration: the = is missing ' --set duration
refused 'oloid: --set parameters.mu=oops parameters.mu: column 1: unknown name "oops"' --set parameters.mu=oops
sed -i 's/^mu = 0.2/mu = -1/' parts/table.toml
refused 'parts/table.toml:11:12 material[0].friction: ' --set duration=1

# The schema, with or without a scene; a scene is needed otherwise.
expect 0 check --schema
says out '"$schema": "http://json-schema.org/draft-07/schema#"'
expect 2 check
says err "scene is required"
echo "set: all good"
