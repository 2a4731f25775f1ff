#!/usr/bin/env bash
# Animations are read by others: by a few lines of Python against the record, and by assimp.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

find_python_with_h5py
missing_tools=()
[ -n "$python" ] || missing_tools+=("python3 with h5py")
command -v assimp >/dev/null || missing_tools+=("assimp")
if [ "${#missing_tools[@]}" -gt 0 ]; then
  printf -v list '%s, ' "${missing_tools[@]}"
  echo "SKIPPED: ${list%, } missing (scripts/setup ci installs them)"
  exit 77
fi

cat >compare.py <<'END'
"""Holds an animation against its record: compare.py ANIMATION RECORD; prints keys and nodes."""
import base64
import json
import struct
import sys
import h5py
import numpy as np

data = open(sys.argv[1], "rb").read()
if sys.argv[1].endswith(".glb"):
    magic, version, length = struct.unpack_from("<III", data)
    assert magic == 0x46546C67 and version == 2 and length == len(data)
    json_length, kind = struct.unpack_from("<II", data, 12)
    assert kind == 0x4E4F534A and json_length % 4 == 0
    gltf = json.loads(data[20:20 + json_length])
    bytes_length, kind = struct.unpack_from("<II", data, 20 + json_length)
    assert kind == 0x004E4942
    blob = data[28 + json_length:28 + json_length + bytes_length]
else:
    gltf = json.loads(data)
    blob = base64.b64decode(gltf["buffers"][0]["uri"].split(",", 1)[1], validate=True)
assert len(blob) == gltf["buffers"][0]["byteLength"]

TYPES = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}

def array(index):
    a = gltf["accessors"][index]
    view = gltf["bufferViews"][a["bufferView"]]
    dtype, width = TYPES[a["componentType"]], WIDTHS[a["type"]]
    assert view["byteOffset"] % 4 == 0
    count = a["count"] * width
    assert count * np.dtype(dtype).itemsize == view["byteLength"]
    values = np.frombuffer(blob, dtype, count, view["byteOffset"]).reshape(-1, width)
    assert np.all(np.isfinite(values))
    if "min" in a:  # exactly those of the numbers in the file
        assert np.array_equal(np.float32(a["min"]), values.min(axis=0))
        assert np.array_equal(np.float32(a["max"]), values.max(axis=0))
    return values

used = [v for a in gltf["accessors"] for v in [a["bufferView"]]]
assert sorted(used) == list(range(len(gltf["bufferViews"])))

record = h5py.File(sys.argv[2], "r")
t = record["frames/t"][:]
events = record["events"][:]
events = events["t"][events["bodies"] > 0]  # the frames after them are keys, too
keys = np.unique((np.concatenate([t, events]) - t[0]).astype(np.float32))  # from the first frame on
plain = ~np.isin(t, events)  # where an event is at the time of a frame, what is after it stays
at = np.searchsorted(keys, (t - t[0]).astype(np.float32))[plain]
assert gltf["asset"]["version"] == "2.0" and gltf["asset"]["generator"].startswith("oloid ")
root = gltf["nodes"][gltf["scenes"][gltf["scene"]]["nodes"][0]]
assert sorted(root["children"]) == list(range(1, len(gltf["nodes"])))
x, y, z, w = root["rotation"]
assert np.allclose([2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], [1, 0], atol=1e-7)  # z to y

channels = {}
for animation in gltf["animations"]:
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        accessor = gltf["accessors"][sampler["input"]]
        assert "min" in accessor and "max" in accessor
        times = array(sampler["input"])[:, 0]
        assert np.all(np.diff(times) > 0)
        assert np.array_equal(times, keys)
        path = channel["target"]["path"]
        assert sampler["interpolation"] == ("STEP" if path == "scale" else "LINEAR")
        channels[channel["target"]["node"], path] = array(sampler["output"])

names = [node["name"] for node in gltf["nodes"]]
for i in range(len(record["bodies"])):
    body = record[f"bodies/{i}"]
    node = names.index(body.attrs["name"].decode() if isinstance(body.attrs["name"], bytes) else body.attrs["name"])
    here = gltf["nodes"][node]
    position = body["position"][:][plain]
    p = channels.get((node, "translation"), np.tile(np.float32(here["translation"]), (len(keys), 1)))
    assert np.array_equal(p[at], position.astype(np.float32)), here["name"]
    assert np.array_equal(np.float32(here["translation"]), p[0])
    q = channels.get((node, "rotation"), np.tile(np.float32(here["rotation"]), (len(keys), 1))).astype(float)
    assert np.all(np.abs(np.sum(q * q, axis=1) - 1) < 1e-6)
    assert np.all(np.sum(q[1:] * q[:-1], axis=1) > 0)  # neighbours on one side: the short way
    q = q[at]
    recorded = np.roll(body["orientation"][:][plain], -1, axis=1)  # glTF has w last
    assert np.all(np.abs(np.abs(np.sum(q * recorded, axis=1)) - 1) < 1e-6), here["name"]
    assert np.max(np.minimum(np.abs(q - recorded).max(axis=1), np.abs(q + recorded).max(axis=1))) < 1e-6
    if "mesh" not in body:
        continue
    primitive, = gltf["meshes"][here["mesh"]]["primitives"]
    vertices, normals = (array(primitive["attributes"][name]) for name in ("POSITION", "NORMAL"))
    assert np.array_equal(vertices, body["mesh/vertices"][:].astype(np.float32))
    assert np.all(np.abs(np.linalg.norm(normals, axis=1) - 1) < 1e-6)
    assert np.allclose(normals, body["mesh/normals"][:], atol=1e-6)
    triangles = array(primitive["indices"]).reshape(-1, 3)
    assert np.array_equal(triangles, body["mesh/triangles"][:])
    material = gltf["materials"][primitive["material"]]["pbrMetallicRoughness"]
    assert all(0 <= c <= 1 for c in material["baseColorFactor"])
print(len(keys), len(gltf["nodes"]))
END

# An impact between frames, a fixed body, a long spin: quaternions go through all signs.
for scene in rattleback two_ellipsoids cue_ball; do
  expect 0 run "$OLOID_SCENES/$scene.toml" -o "$scene.h5"
  for file in "$scene.glb" "$scene.gltf"; do
    expect 0 export "$scene.h5" --gltf "$file"
    silent err
    "$python" compare.py "$file" "$scene.h5" >told 2>err || fail "$file is not what was recorded"
    says out "$(cut -d' ' -f1 told) key frames"
    assimp info "$file" >info 2>&1 || fail "assimp cannot read $file: $(tail -n 3 info)"
    says info "Animations:         1"
    says info "Meshes:             2"
  done
done

# With points of contact there is a node more; they are drawn, and moved.
expect 0 export rattleback.h5 --gltf marked.glb --contacts
"$python" compare.py marked.glb rattleback.h5 >told 2>err || fail "marked.glb is not what was recorded"
assimp info marked.glb >info 2>&1 || fail "assimp cannot read marked.glb"
says info "Meshes:             3"
says info "Animation Channels: 2"

# A record that starts late: the keys are as many.
keys=$("$python" compare.py rattleback.glb rattleback.h5 | cut -d' ' -f1)
cp rattleback.h5 late.h5
"$python" -c "
import h5py
f = h5py.File('late.h5', 'r+')
f['frames/t'][:] = f['frames/t'][:] + 1e5
events = f['events'][:]
events['t'] += 1e5
f['events'][:] = events"
expect 0 export late.h5 --gltf late.glb
says out "$keys key frames"
"$python" compare.py late.glb late.h5 >told 2>err || fail "late.glb is not what was recorded"

# Poses that are none are left out, and counted; a record without any other is refused.
cp rattleback.h5 holes.h5
"$python" -c "
import h5py
body = h5py.File('holes.h5', 'r+')['bodies/0']
p, q = body['position'], body['orientation']
p[100:110] = float('nan')
p[200] = 1e300
q[300] = 0"
expect 0 export holes.h5 --gltf holes.glb
says err "12 frames are omitted"
assimp info holes.glb >info 2>&1 || fail "assimp cannot read holes.glb"
"$python" -c "import h5py; h5py.File('holes.h5', 'r+')['bodies/0/position'][:] = float('nan')"
expect 1 export holes.h5 --gltf none.glb
says err "no frame can be written"
missing none.glb none.glb.part

# A scene at rest: no animation.
expect 0 export "$OLOID_SCENES/rattleback.toml" --gltf still.glb
assimp info still.glb >info 2>&1 || fail "assimp cannot read still.glb"
says info "Animations:         0"

# The part of a run that was killed.
scene endless.toml 1e4 1e-3
timeout -s KILL 1.7 "$OLOID_BIN" run endless.toml -o dead.h5 >/dev/null 2>&1 || true
expect 0 export dead.h5.part --gltf dead.glb
says out "of an unfinished run"
expect 0 recover dead.h5.part
"$python" compare.py dead.glb dead.h5 >told 2>err || fail "dead.glb is not what was recorded"
echo "gltf: $(cat told)"
