#!/usr/bin/env bash
# Records are read with h5py: finished, as the part of a run that was killed, and while they are written.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

find_python_with_h5py
if [ -z "$python" ]; then
  echo "SKIPPED: python3 with h5py is missing (scripts/setup ci installs it)"
  exit 77
fi

cat >read.py <<'END'
"""Reads every dataset of a record: read.py FILE [swmr]; prints frames, events and whether it is complete."""
import sys
import h5py
import numpy as np

f = h5py.File(sys.argv[1], "r", libver="latest", swmr=len(sys.argv) > 2)
assert f.attrs["format"] == 3
assert b"oloid = 1" in f["scene_text"][()]
read = []

def visit(name, item):
    if isinstance(item, h5py.Dataset):
        read.append((name, item[()]))

f.visititems(visit)
data = dict(read)
frames = min(len(values) for name, values in read
             if name.startswith(("frames/", "probes/", "contact_index")) or
             (name.startswith("bodies/") and name.split("/")[2] in
              ("position", "orientation", "velocity", "angular_velocity")))
t = data["frames/t"][:frames]
assert np.all(np.diff(t) >= 0) and np.all(np.isfinite(t))
q = data["bodies/0/orientation"][:frames]
assert np.allclose(np.sum(q * q, axis=1), 1, atol=1e-9)
assert f["frames/t"].attrs["unit"] in ("s", b"s")
assert np.allclose(data["probes/clock"][:frames], 2 * t, rtol=0, atol=0)
assert f["probes/clock"].attrs["formula"] in ("2 * t", b"2 * t")
kinds = [e["kind"].decode() for e in data["events"]]
assert kinds[0] == "contact_start", kinds
mode = h5py.check_enum_dtype(f["contact_rows/mode"].dtype)
assert mode["rolling"] == 3
complete = len(data["summary"]) == 1
if complete:
    s = data["summary"][0]
    assert s["frames"] == len(t) and s["t_end"] == t[-1]
    assert len(data["bodies/0/hash"]) == 1
    assert kinds[-1] in ("end", "interrupted")
assert data["bodies/0/mesh/vertices"].shape[1] == 3
print(frames, len(kinds), int(complete))
END

scene record.toml 1e4 1e-3
cat >>record.toml <<'END'
[[probe]]
name = "clock"
formula = "2 * t"
event = false
END
# While it is written, twice: it grows.
"$OLOID_BIN" run record.toml -o live.h5 >/dev/null 2>&1 &
run=$!
for _ in $(seq 100); do
  sleep 0.1
  if "$python" read.py live.h5.part swmr >first 2>err && [ "$(cut -d' ' -f1 first)" -gt 0 ]; then break; fi
done
exists first
sleep 1.5
"$python" read.py live.h5.part swmr >second 2>err || fail "cannot follow a run"
[ "$(cut -d' ' -f1 second)" -gt "$(cut -d' ' -f1 first)" ] || fail "the record does not grow"
[ "$(cut -d' ' -f3 second)" = 0 ] || fail "a run that goes on is complete"
# Interrupted: complete.
kill -INT "$run"
wait "$run" || true
"$python" read.py live.h5 >finished 2>err || fail "cannot read a finished record"
[ "$(cut -d' ' -f3 finished)" = 1 ] || fail "not complete"
# Killed: the part, and what recover makes of it.
timeout -s KILL 1.7 "$OLOID_BIN" run record.toml -o dead.h5 >/dev/null 2>&1 || true
"$python" read.py dead.h5.part swmr >part 2>err || fail "cannot read the part of a run that was killed"
expect 0 recover dead.h5.part
"$python" read.py dead.h5 >recovered 2>err || fail "cannot read a recovered record"
[ "$(cut -d' ' -f1 part)" = "$(cut -d' ' -f1 recovered)" ] || fail "frames were lost: $(cat part recovered)"
echo "h5py: $(cat finished)"
