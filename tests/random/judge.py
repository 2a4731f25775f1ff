"""An independent judge of runs: reads the record that a run left and says what is wrong with it.

It shares no code and no formula with the program: surfaces are those of shapes.py, laws of motion are written out here. Each check
returns complaints, pairs (kind, text). Tolerances are relative to scales of the scene and are far above what the program promises,
so that a complaint is a defect and not a matter of taste.
"""

import json
import math

import h5py
import numpy as np

from scenes import matrix
from shapes import RING

DEPTH = 1e-7  # of the smaller body's size: bodies that overlap by more are inside each other
TOUCH = 1e-6  # of the same: bodies that are said to touch are at most this far apart
ENERGY = 1e-8  # of the energy scale of docs/notation.md
FLIGHT = 1e-8  # relative: momentum and angular momentum of free bodies
IMPACT = 1e-7  # relative: laws of impacts
FORCE = 1e-6  # relative: friction, normal forces
ENDINGS = ("open_border", "conforming", "inconsistent", "unsupported_island", "unsupported_contact", "zeno", "solver_trouble", "budget")
TROUBLE = ("solver_trouble", "zeno")


class Record:
    """The record and the summary of a run."""

    def __init__(self, path, summary):
        with h5py.File(path, "r") as f:
            self.t = f["frames/t"][:]
            self.energy = f["frames/energy"][:]
            self.names, self.bodies = [], {}
            for k in range(len(f["bodies"])):
                group = f[f"bodies/{k}"]
                name = group.attrs["name"]
                name = name.decode() if isinstance(name, bytes) else str(name)
                self.names.append(name)
                keys = ("position", "orientation", "velocity", "angular_velocity", "ended")
                self.bodies[name] = {key: group[key][:] for key in keys}
                self.bodies[name]["mass"] = float(group.attrs["mass"])
            self.pairs = {row["pair"]: row for row in f["pairs"][:]}
            self.rows = {key: f["contact_rows"][key][:] for key in f["contact_rows"]}
            self.first_row = np.concatenate([f["contact_index"][:], [len(self.rows["frame"])]])
            self.births = f["contact_births"][:]
            self.events = f["events"][:]
            self.event_bodies = {key: f["event_bodies"][key][:] for key in f["event_bodies"]}
            self.event_contacts = {key: f["event_contacts"][key][:] for key in f["event_contacts"]}
        with open(summary) as file:
            self.summary = json.load(file)
        self.events_of = {name: [] for name in self.names}
        for e in self.events:
            for k in (e["body_a"], e["body_b"]):
                if k >= 0:
                    self.events_of[self.names[k]].append(e["t"])

    def pair_names(self, pair):
        return self.names[self.pairs[pair]["body_a"]], self.names[self.pairs[pair]["body_b"]]

    def held(self, name, t0, t1):
        """Whether the body has a contact at some time in [t0, t1]."""
        for b in self.births:
            if name in self.pair_names(b["pair"]) and b["t0"] <= t1 and not b["t1"] < t0:
                return True
        return False

    def eventless(self, name, t0, t1):
        return not any(t0 <= t <= t1 for t in self.events_of[name])


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


class Judge:
    def __init__(self, scene, record, code):
        self.scene, self.record, self.code = scene, record, code
        self.free = [b for b in scene.bodies if b.moves_freely()]
        self.spec = {b.name: b for b in scene.bodies}
        self.loaded = ({name for a, b, *_ in scene.springs for name in (a, b)} | {d[0] for d in scene.drags} | {f[0] for f in scene.loads})
        self.g = np.array([0, 0, -scene.gravity])
        kinetic = record.energy[:, 0]
        self.stopped = abs(record.t[-1] - scene.duration) > 1e-9 * scene.duration
        self.energy_scale = (np.nanmax(kinetic) if len(kinetic) else 0) + sum(b.mass * scene.gravity * b.shape.size for b in self.free) + 1e-300

    def complaints(self):
        out = []
        for check in (self.numbers, self.ending, self.energies, self.flights, self.impacts, self.contacts, self.rest, self.drives, self.overlaps):
            out += check()
            if out and out[0][0] == "nan":
                break
        return out

    # Numbers, exit code

    def numbers(self):
        r = self.record
        for name in r.names:
            for key, values in r.bodies[name].items():
                if not np.all(np.isfinite(values)):
                    return [("nan", f"{key} of {name} is not finite")]
        if not np.all(np.isfinite(r.energy)):
            return [("nan", "energy is not finite")]
        for key in ("gap", "normal_force", "point_a", "point_b", "normal"):
            if not np.all(np.isfinite(r.rows[key])):
                return [("nan", f"{key} of a contact is not finite")]
        for key in ("max_relative_drift", "dissipated", "work", "final"):
            if r.summary["energy"][key] is None:
                return [("nan", f"energy.{key} of the summary is not finite")]
        if r.summary["max_gap_error"] is None:
            return [("nan", "max_gap_error is not finite")]
        return []

    def ended(self, name):
        """Whether a body stopped early: it is marked, or the run itself stopped."""
        return bool(self.record.bodies[name]["ended"][-1]) or (self.stopped and self.spec[name].moves_freely())

    def ending(self):
        """The exit code, and whether the reasons given for early ends are true."""
        out = []
        early = self.early_ends()
        any_ended = any(self.ended(b.name) for b in self.free)
        if self.code == 0 and any_ended:
            out.append(("exit", f"exit code 0, but something ended early at t = {self.record.t[-1]:.9g} or before"))
        if self.code == 4 and not any_ended:
            out.append(("exit", "exit code 4, but everything ran to the end"))
        if self.code == 4 and not early:
            out.append(("exit", "exit code 4 without an event that gives a reason"))
        for e in early:
            out += self.reason(e)
        return out

    def early_ends(self):
        """The events that ended something: of each body that stopped, the last one that can be a reason."""
        last = {}
        for k, e in enumerate(self.record.events):
            if text(e["kind"]) in ENDINGS:
                names = [self.record.names[i] for i in (e["body_a"], e["body_b"]) if i >= 0]
                for name in names or [b.name for b in self.free]:
                    if self.ended(name):
                        last[name] = k
        return [self.record.events[k] for k in sorted(set(last.values()))]

    def frame(self):
        return self.scene.duration / self.scene.frames * (1 + 1e-9)

    def end_time(self, name):
        """The first frame in which a body stands still because it has ended."""
        ended = self.record.bodies[name]["ended"]
        return self.record.t[int(np.argmax(ended))] if ended[-1] else math.inf

    def pose_at(self, name, t):
        """Where a body was: exact where it has ended or is fixed, otherwise by Hermite's cubic between frames."""
        b, times = self.record.bodies[name], self.record.t
        if self.spec[name].fixed or (self.ended(name) and t >= min(self.end_time(name), times[-1]) - self.frame()):
            return b["position"][-1], b["orientation"][-1]
        k = int(np.clip(np.searchsorted(times, t) - 1, 0, len(times) - 2)) if len(times) > 1 else 0
        if len(times) == 1:
            return b["position"][0], b["orientation"][0]
        h = times[k + 1] - times[k]
        s = (t - times[k]) / h if h > 0 else 0
        x0, x1, v0, v1 = b["position"][k], b["position"][k + 1], b["velocity"][k], b["velocity"][k + 1]
        x = (1 + 2 * s) * (1 - s) ** 2 * x0 + s * (1 - s) ** 2 * h * v0 + s * s * (3 - 2 * s) * x1 + s * s * (s - 1) * h * v1
        w = 0.5 * (b["angular_velocity"][k] + b["angular_velocity"][k + 1]) * s * h
        return x, turned(b["orientation"][k], w)

    def reason(self, e):
        kind, note = text(e["kind"]), text(e["note"])
        if kind in TROUBLE or kind == "budget" or e["body_a"] < 0:
            return []  # no statement about the bodies; counted apart
        a, b = (self.record.names[k] for k in (e["body_a"], e["body_b"]))
        shape_a, shape_b = self.spec[a].shape, self.spec[b].shape
        where = f"{kind} of {a} and {b} at t = {e['t']:.9g} ({note})"
        moving = [n for n in (a, b) if self.spec[n].motion is not None and "position" not in self.spec[n].motion]
        gap, point = self.nearest(a, b, e["t"]) if not moving else (None, None)
        out = []
        size = min(shape_a.size, shape_b.size)
        if gap is not None and abs(gap) > self.touch_tolerance(a, b) * size and kind != "inconsistent":
            out.append(("reason", f"{where}: but the gap is {gap / size:.3g} of the smaller body's size"))
        for shape, feature in ((shape_a, e["feature_a"]), (shape_b, e["feature_b"])):
            if feature[0] > 0 and shape.smooth and not shape.border:
                out.append(("reason", f"{where}: but {type(shape).__name__} has neither edges nor vertices"))
        if kind == "open_border" and shape_a.smooth and shape_b.smooth and not (shape_a.border or shape_b.border):
            out.append(("reason", f"{where}: but neither has a border"))
        if kind == "inconsistent" and self.scene.law["friction"] != "unlimited":
            out.append(("reason", f"{where}: but friction is limited"))
        if ("line" in note or kind == "conforming") and gap is not None and not out and not self.flat(a, b, e["t"], point):
            out.append(("reason", f"{where}: but they touch at a single point"))
        if "has ended" in note and not (self.ended(a) and self.ended(b)):
            out.append(("reason", f"{where}: but they go on"))
        if "squeezed" in note or "loop" in note:
            touching = self.touching(a, e["t"]) + self.touching(b, e["t"])
            if len({tuple(sorted(p)) for p in touching}) < 2 and not self.touches_twice(a, b, e["t"]):
                out.append(("reason", f"{where}: but there is no second contact"))
        return out

    def touch_tolerance(self, a, b):
        """Samples of subdivision surfaces cannot be refined; elsewhere poses at events are exact only for bodies that end."""
        if any(type(self.spec[n].shape).__name__ == "Subdivision" for n in (a, b)):
            return 2e-2
        if any(not self.ended(n) and not self.spec[n].fixed for n in (a, b)):
            return 2e-2
        return TOUCH if self.spec[a].shape.smooth and self.spec[b].shape.smooth else 300 * TOUCH  # searches along edges are slow

    def touching(self, name, t):
        out = []
        for other in self.spec:
            if other != name and (self.spec[name].moves_freely() or self.spec[other].moves_freely()):
                gap, _ = self.nearest(name, other, t)
                size = min(self.spec[name].shape.size, self.spec[other].shape.size)
                if gap is not None and abs(gap) < 1e-4 * size:
                    out.append((name, other))
        return out

    def touches_twice(self, a, b, t):
        """Whether two points of the one, far apart, both touch the other."""
        poses = self.pose_at(a, t), self.pose_at(b, t)
        for x, y, p in ((a, b, poses), (b, a, poses[::-1])):
            shape = self.spec[x].shape
            if shape.is_far():
                continue
            values, params = self.search(x, y, *placed(p), count=8)
            if values is None:
                continue
            size = min(shape.size, self.spec[y].shape.size)
            points = shape.at(params[0][np.abs(values[0]) < 1e-3 * size])
            if any(np.linalg.norm(p - q) > 0.05 * size for p in points for q in points):
                return True
        return False

    def search(self, a, b, pose_a, pose_b, count=2):
        """Least distances of points of a from b, for many poses at once: values (poses, count), the lowest first, and parameters of a's
        shape; None if the judge has no test for b."""
        A, B = self.spec[a], self.spec[b]
        turn, shift = relative(A, B, pose_a, pose_b)
        if B.shape.level(np.zeros((1, 3))) is None:
            return None, None
        return lowest(A.shape, B.shape, turn, shift, count)

    def nearest_many(self, a, b, pose_a, pose_b):
        """The least distance at each of many poses, negative where they overlap; None where the judge cannot tell."""
        best = None
        for x, y, p, q in ((a, b, pose_a, pose_b), (b, a, pose_b, pose_a)):
            if not self.spec[x].shape.is_far():
                values, _ = self.search(x, y, p, q)
                if values is not None:
                    best = values[:, 0] if best is None else np.minimum(best, values[:, 0])
        return best

    def nearest(self, a, b, t=None, poses=None):
        """The same for one pose; also which body's surface was searched, and the parameter of its point."""
        poses = poses or (self.pose_at(a, t), self.pose_at(b, t))
        best = (None, None)
        for x, y, p in ((a, b, poses), (b, a, poses[::-1])):
            if not self.spec[x].shape.is_far():
                values, params = self.search(x, y, *placed(p))
                if values is not None and (best[0] is None or values[0, 0] < best[0]):
                    best = (float(values[0, 0]), (x, y, params[0, 0]))
        return best

    def flat(self, a, b, t, where):
        """Whether the bodies lie along each other around the point: on a ring around it the distance hardly grows somewhere."""
        x, y, param = where
        shape, other = self.spec[x].shape, self.spec[y].shape
        turn, shift = relative(self.spec[x], self.spec[y], *placed((self.pose_at(x, t), self.pose_at(y, t))))
        size = min(shape.size, other.size)

        def value(points):
            return other.distance(points @ turn[0].T + shift[0])
        middle = shape.at(param[None])
        for h in (0.03, 0.01):
            steps = np.concatenate([h * RING, 0.7 * h * RING @ [[0.96, 0.28], [-0.28, 0.96]]])
            places = shape.at(shape.around(param[None], steps[None])[0])
            away = np.linalg.norm(places - middle, axis=1)
            rise = (value(places) - value(middle)) / np.maximum(away, 1e-300) ** 2 * size
            if np.min(np.where(away > 1e-4 * size, rise, np.inf)) < 0.05:
                return True
        return False

    # Energy

    def kinetic(self, b, v, q, w):
        R = matrix(q)
        own = R.T @ w
        return 0.5 * b.mass * v @ v + 0.5 * own @ b.inertia @ own

    def energies(self):
        r, out = self.record, []
        alive = np.array([[not r.bodies[b.name]["ended"][k] for b in self.free] for k in range(len(r.t))]).reshape(len(r.t), len(self.free))
        plain = not self.scene.springs
        for k in range(len(r.t)):
            kinetic = potential = 0.0
            for j, b in enumerate(self.free):
                if alive[k, j]:
                    s = r.bodies[b.name]
                    kinetic += self.kinetic(b, s["velocity"][k], s["orientation"][k], s["angular_velocity"][k])
                    potential -= b.mass * self.g @ s["position"][k]
            rounding = 1e-12 * abs(potential)
            if abs(kinetic - r.energy[k, 0]) > ENERGY * self.energy_scale:
                out.append(("energy", f"kinetic energy at t = {r.t[k]:.9g} is {kinetic:.12g} J, recorded {r.energy[k, 0]:.12g} J"))
                break
            if plain and abs(potential - r.energy[k, 1]) > ENERGY * self.energy_scale + rounding:
                out.append(("energy", f"potential energy at t = {r.t[k]:.9g} is {potential:.12g} J, recorded {r.energy[k, 1]:.12g} J"))
                break
        driven = any(b.motion for b in self.scene.bodies) or bool(self.scene.loads)
        total = r.energy[:, 0] + r.energy[:, 1]
        balance = total + r.energy[:, 2] - r.energy[:, 3]
        for k in range(1, len(r.t)):
            if not np.array_equal(alive[k], alive[k - 1]):
                continue
            tolerance = ENERGY * self.energy_scale + 1e-12 * abs(total[k])
            if abs(balance[k] - balance[k - 1]) > tolerance:
                out.append(("energy", f"the balance jumps by {(balance[k] - balance[k - 1]) / self.energy_scale:.3g} of its scale before t = {r.t[k]:.9g}"))
                break
            if not self.scene.drags and r.energy[k, 2] < r.energy[k - 1, 2] - tolerance:
                out.append(("energy", f"dissipated work falls by {(r.energy[k - 1, 2] - r.energy[k, 2]) / self.energy_scale:.3g} of the scale before t = {r.t[k]:.9g}"))
                break
            if not driven and total[k] > total[k - 1] + tolerance:
                out.append(("energy", f"energy grows by {(total[k] - total[k - 1]) / self.energy_scale:.3g} of its scale without a drive before t = {r.t[k]:.9g}"))
                break
        return out

    # Flight

    def flights(self):
        r, out = self.record, []
        for b in self.free:
            if b.name in self.loaded:
                continue
            s = r.bodies[b.name]
            for k in range(len(r.t) - 1):
                t0, t1 = r.t[k], r.t[k + 1]
                if s["ended"][k + 1] or r.held(b.name, t0, t1) or not r.eventless(b.name, t0, t1):
                    continue
                dt = t1 - t0
                v, w = s["velocity"][k], s["angular_velocity"][k]
                speed = np.linalg.norm(v) + self.scene.gravity * dt + np.linalg.norm(w) * b.shape.size
                x = s["position"][k] + v * dt + 0.5 * self.g * dt * dt
                wrong = np.linalg.norm(s["velocity"][k + 1] - v - self.g * dt)
                if wrong > FLIGHT * speed:
                    out.append(("flight", f"{b.name} does not fall freely before t = {t1:.9g}: its velocity is off by {wrong:.3g} m/s"))
                    break
                wrong = np.linalg.norm(s["position"][k + 1] - x)
                if wrong > FLIGHT * (speed * dt + b.shape.size) + 1e-13 * np.linalg.norm(x):
                    out.append(("flight", f"{b.name} does not fall freely before t = {t1:.9g}: its position is off by {wrong:.3g} m"))
                    break
                L0, L1 = (angular_momentum(b, s["orientation"][i], s["angular_velocity"][i]) for i in (k, k + 1))
                if np.linalg.norm(L1 - L0) > FLIGHT * (np.linalg.norm(L0) + b.mass * b.shape.size * speed):
                    out.append(("flight", f"angular momentum of {b.name} changes in flight before t = {t1:.9g}"))
                    break
        return out

    # Impacts

    def impacts(self):
        r, out = self.record, []
        times = [e["t"] for e in r.events]
        for index, e in enumerate(r.events):
            if text(e["kind"]) not in ("impact", "grazing") or e["bodies"] != 4 or e["contacts"] < 1:
                continue
            a, b = (r.names[k] for k in (e["body_a"], e["body_b"]))
            others = [x for x in r.events if x["t"] == e["t"] and {x["body_a"], x["body_b"]} & {e["body_a"], e["body_b"]}
                      and text(x["kind"]) != "chart_crossing"]
            if len(others) > 1:
                continue
            if any(n in (a, b) and x["t0"] < e["t"] and not x["t1"] < e["t"] for x in r.births for n in r.pair_names(x["pair"])
                   if self.spec[n].moves_freely()):
                continue
            state = {}
            for k in range(e["first_body"], e["first_body"] + e["bodies"]):
                state[r.names[r.event_bodies["body"][k]], int(r.event_bodies["side"][k])] = {key: r.event_bodies[key][k] for key in r.event_bodies}
            row = e["first_contact"]
            gap, size = r.event_contacts["gap"][row], min(self.spec[n].shape.size for n in (a, b))
            if abs(gap) > TOUCH * size:
                out.append(("gap", f"impact of {a} and {b} at t = {e['t']:.9g}: the recorded points are {gap / size:.3g} sizes apart"))
                break
            out += self.impact(e, a, b, state, r.event_contacts["point_a"][row], r.event_contacts["normal"][row])
            if out:
                break
        return out

    def impact(self, e, a, b, state, point, normal):
        """Of two bodies that touch nothing else: impulses opposite, at the contact, within the cone; no energy gained; no approach left."""
        where = f"impact of {a} and {b} at t = {e['t']:.9g}"
        out, impulse, relative, lost, scale = [], {}, {-1: np.zeros(3), 1: np.zeros(3)}, 0.0, 0.0
        for name, sign in ((a, 1), (b, -1)):
            body, before, after = self.spec[name], state[name, -1], state[name, 1]
            for side, s in ((-1, before), (1, after)):
                relative[side] += sign * (s["velocity"] + np.cross(s["angular_velocity"], point - s["position"]))
            if not body.moves_freely():
                continue
            impulse[name] = body.mass * (after["velocity"] - before["velocity"])
            arm = point - before["position"]
            turn = angular_momentum(body, after["orientation"], after["angular_velocity"]) - angular_momentum(body, before["orientation"], before["angular_velocity"])
            size = body.mass * (np.linalg.norm(before["velocity"]) + np.linalg.norm(before["angular_velocity"]) * body.shape.size + np.linalg.norm(after["velocity"]))
            scale = max(scale, size)
            if np.linalg.norm(turn - np.cross(arm, impulse[name])) > IMPACT * size * body.shape.size:
                out.append(("impact", f"{where}: the impulse on {name} does not act at the contact"))
            lost += self.kinetic(body, before["velocity"], before["orientation"], before["angular_velocity"])
            lost -= self.kinetic(body, after["velocity"], after["orientation"], after["angular_velocity"])
        if len(impulse) == 2 and np.linalg.norm(impulse[a] + impulse[b]) > IMPACT * scale:
            out.append(("impact", f"{where}: momentum changes by {np.linalg.norm(impulse[a] + impulse[b]) / scale:.3g} of its scale"))
        on_a = impulse[a] if a in impulse else -impulse[b]
        along = -on_a @ normal
        across = np.linalg.norm(on_a + along * normal)
        mu = self.scene.law["friction"]
        if along < -IMPACT * scale:
            out.append(("impact", f"{where}: the impulse pulls"))
        if text(e["after"]) != "separated" and mu != "unlimited":
            mu *= 1 + self.scene.law["restitution"]  # the last of the bounces: friction of a whole bounce, rebound of none
        if mu != "unlimited" and across > mu * along + IMPACT * scale:
            out.append(("impact", f"{where}: friction {across:.9g} N s exceeds its limit, {mu:.9g} times {along:.9g} N s"))
        speed = sum(np.linalg.norm(relative[s]) for s in (-1, 1)) + 1e-300
        approach_before, approach_after = relative[-1] @ normal, relative[1] @ normal
        driven = any(self.spec[n].motion for n in (a, b))
        belt = any(self.spec[n].motion and ("surface_velocity" in self.spec[n].motion or "surface_spin" in self.spec[n].motion) for n in (a, b))
        if not belt and approach_after > IMPACT * speed:
            out.append(("impact", f"{where}: they still approach each other, at {approach_after:.3g} m/s"))
        if not belt and mu == 0 and text(e["after"]) == "separated" and text(e["kind"]) == "impact":
            wanted = -self.scene.law["restitution"] * approach_before
            if abs(approach_after - wanted) > IMPACT * speed:
                out.append(("impact", f"{where}: they part at {-approach_after:.9g} m/s instead of {-wanted:.9g} m/s"))
        if not driven and lost < -IMPACT * self.energy_scale:
            out.append(("impact", f"{where}: energy grows by {-lost:.3g} J"))
        poses = tuple((state[n, -1]["position"], state[n, -1]["orientation"]) for n in (a, b))
        gap, _ = self.nearest(a, b, poses=poses)
        size = min(self.spec[a].shape.size, self.spec[b].shape.size)
        if gap is not None:
            subdivision = any(type(self.spec[n].shape).__name__ == "Subdivision" for n in (a, b))
            if gap < -DEPTH * size or gap > (2e-2 if subdivision else 300 * TOUCH) * size:
                out.append(("overlap" if gap < 0 else "impact", f"{where}: the gap is {gap / size:.3g} of the smaller body's size"))
        return out

    # Contacts

    def contacts(self):
        r, out, rows = self.record, [], self.record.rows
        mu = self.scene.law["friction"]
        scale = sum(b.mass for b in self.free) * self.scene.gravity + 1e-300
        for pair in np.unique(rows["pair"]):
            a, b = r.pair_names(pair)
            size = min(self.spec[a].shape.size, self.spec[b].shape.size)
            t = r.t[rows["frame"]]
            # At the instant of an event a frame may show the state before or after it.
            settled = ~np.isin(t, r.events_of[a] + r.events_of[b])
            i = np.flatnonzero((rows["pair"] == pair) & settled & (t < min(self.end_time(a), self.end_time(b))))
            gap, held = rows["gap"][i], rows["contact"][i] >= 0
            span = np.einsum("ni,ni->n", rows["point_b"][i] - rows["point_a"][i], rows["normal"][i])
            push, slip = rows["normal_force"][i], np.linalg.norm(rows["slip"][i], axis=1)
            rub = np.linalg.norm(rows["friction"][i], axis=1)
            power = np.einsum("ni,ni->n", rows["friction"][i], rows["slip"][i])
            findings = [
                ("gap", np.abs(span - gap) > 1e-7 * size + 1e-9 * np.abs(span), "the gap is not that of the recorded points"),
                ("overlap", gap < -DEPTH * size, "the recorded gap is negative"),
                ("gap", held & (np.abs(gap) > DEPTH * size), "in contact with a gap"),
                ("force", held & (push < -FORCE * scale), "the normal force pulls"),
                ("force", held & (power > FORCE * (scale + rub) * slip), "friction drives the slip")]
            if mu != "unlimited":
                findings.append(("force", held & (rub > mu * push + FORCE * (scale + np.abs(push))), "friction exceeds its limit"))
            for key, name in (("point_a", a), ("point_b", b)):
                d = self.off_surface(name, rows["frame"][i], rows[key][i])
                if d is not None:
                    limit = 1e-6 * size + 1e-9 * np.linalg.norm(rows[key][i], axis=1)
                    findings.append(("gap", np.isfinite(d) & (np.abs(d) > limit), f"the recorded point of {name} is off its surface"))
            for kind, wrong, what in findings:
                if np.any(wrong):
                    k = i[int(np.argmax(wrong))]
                    out.append((kind, f"{a} and {b} at t = {t[k]:.9g}: {what} (gap {rows['gap'][k] / size:.3g} sizes, normal force {rows['normal_force'][k]:.6g} N)"))
        return out

    def off_surface(self, name, frames, points):
        s, body = self.record.bodies[name], self.spec[name]
        turn = np.array([matrix(s["orientation"][k]) for k in frames]).reshape(-1, 3, 3)
        local = np.einsum("nji,nj->ni", turn, points - s["position"][frames]) - body.offset
        return body.shape.distance(local) if len(local) else None

    # Rest, drives

    def rest(self):
        out = []
        for b in self.free:
            s = self.record.bodies[b.name]
            if b.rest and np.max(np.abs(s["position"] - s["position"][0])) > 1e-9 * b.shape.size:
                out.append(("rest", f"{b.name} was at rest and has moved"))
        return out

    def drives(self):
        out = []
        for b in self.scene.bodies:
            s = self.record.bodies[b.name]
            if b.fixed and (np.max(np.abs(s["position"] - b.position)) > 0 or np.max(np.abs(s["velocity"])) > 0):
                out.append(("drive", f"{b.name} is fixed and moves"))
            if b.motion and "position" in b.motion:
                for k, t in enumerate(self.record.t):
                    if np.linalg.norm(s["position"][k] - b.motion["position"].at(t)) > 1e-9 * self.free[0].shape.size:
                        out.append(("drive", f"{b.name} does not follow its formula at t = {t:.9g}"))
                        break
        return out

    # Overlap

    def overlaps(self):
        out = []
        for i, a in enumerate(self.scene.bodies):
            for b in self.scene.bodies[:i]:
                if a.moves_freely() or b.moves_freely():
                    found = self.overlap(a.name, b.name)
                    if found:
                        out.append(found)
        return out

    def overlap(self, a, b):
        r = self.record
        A, B = r.bodies[a], r.bodies[b]
        sa, sb = self.spec[a].shape, self.spec[b].shape
        size = min(sa.size, sb.size)
        times = list(r.t)
        poses = [(A["position"][k], A["orientation"][k], B["position"][k], B["orientation"][k]) for k in range(len(times))]
        for k in range(len(r.t) - 1):
            more = self.between(a, b, k)
            times += [t for t, _ in more]
            poses += [p for _, p in more]
        reach = sa.size + sb.size + np.linalg.norm(self.spec[a].offset) + np.linalg.norm(self.spec[b].offset)
        near = [k for k, p in enumerate(poses) if np.linalg.norm(p[0] - p[2]) < reach]
        if not near:
            return None
        x, q, y, p = (np.array([poses[k][i] for k in near]) for i in range(4))
        d = self.nearest_many(a, b, (x, q), (y, p))
        if d is None or np.min(d) >= -DEPTH * size:
            return None
        first = min((k for k in range(len(near)) if d[k] < -DEPTH * size), key=lambda k: times[near[k]])
        return ("overlap", f"{a} and {b} overlap by {-d[first] / size:.3g} of the smaller body's size at t = {times[near[first]]:.9g}, by up to {-np.min(d) / size:.3g}")

    def between(self, a, b, k):
        """Fast bodies in flight: poses between two frames, by the judge's own integration of Euler's equations."""
        r = self.record
        t0, t1 = r.t[k], r.t[k + 1]
        dt = t1 - t0
        sa, sb = self.spec[a].shape, self.spec[b].shape
        if sa.is_far() or sb.is_far():
            return []
        states = []
        for name in (a, b):
            s, body = r.bodies[name], self.spec[name]
            if name in self.loaded or body.motion or s["ended"][k + 1]:
                return []
            states.append((s["position"][k], s["orientation"][k], s["velocity"][k], s["angular_velocity"][k]))
        (xa, _, va, wa), (xb, _, vb, wb) = states
        thin = min(sa.thickness, sb.thickness)
        travel = np.linalg.norm(va - vb) * dt + (np.linalg.norm(wa) * sa.size + np.linalg.norm(wb) * sb.size) * dt
        n = min(int(4 * travel / thin), 160)
        x, v = xa - xb, va - vb
        closest = x + v * np.clip(-(x @ v) / max(v @ v, 1e-300), 0, dt)
        reach = sa.size + sb.size + np.linalg.norm(self.spec[a].offset) + np.linalg.norm(self.spec[b].offset)
        if n < 2 or np.linalg.norm(closest) > reach:
            return []
        if any(self.spec[m].moves_freely() and (r.held(m, t0, t1) or not r.eventless(m, t0, t1)) for m in (a, b)):
            return []
        turns = [self.spin_path(name, states[i][1], states[i][3], dt, n) for i, name in enumerate((a, b))]
        out = []
        for j in range(1, n):
            s = dt * j / n
            places = [st[0] + st[2] * s + (0.5 * self.g * s * s if self.spec[name].moves_freely() else 0) for name, st in zip((a, b), states)]
            out.append((t0 + s, (places[0], turns[0][j], places[1], turns[1][j])))
        return out

    def spin_path(self, name, q, w, dt, n):
        body = self.spec[name]
        if not body.moves_freely() or not np.any(w):
            return [q] * (n + 1)
        I, inverse = body.inertia, np.linalg.inv(body.inertia)
        own = matrix(q).T @ w
        substeps = max(1, int(np.linalg.norm(w) * dt / n / 0.1))
        h = dt / n / substeps
        out = [q]
        y = np.concatenate([q, own])

        def rate(y):
            q, o = y[:4], y[4:]
            dq = 0.5 * np.array([-q[1:] @ o, *(q[0] * o + np.cross(q[1:], o))])
            return np.concatenate([dq, inverse @ np.cross(I @ o, o)])
        for _ in range(n):
            for _ in range(substeps):
                k1 = rate(y)
                k2 = rate(y + 0.5 * h * k1)
                k3 = rate(y + 0.5 * h * k2)
                k4 = rate(y + h * k3)
                y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
                y[:4] /= np.linalg.norm(y[:4])
            out.append(y[:4].copy())
        return out


def angular_momentum(body, q, w):
    R = matrix(q)
    return R @ body.inertia @ R.T @ w


def turned(q, rotation):
    angle = np.linalg.norm(rotation)
    if angle == 0:
        return q
    p = np.concatenate([[math.cos(angle / 2)], math.sin(angle / 2) * rotation / angle])
    return np.concatenate([[p[0] * q[0] - p[1:] @ q[1:]], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])])


def placed(poses):
    """A pair of poses as arrays of one pose each."""
    return tuple((np.array([x]), np.array([q])) for x, q in poses)


def relative(A, B, pose_a, pose_b):
    """What takes points in the axes of A's shape to those of B's shape, for many poses: turn (m, 3, 3), shift (m, 3)."""
    (xa, qa), (xb, qb) = pose_a, pose_b
    Ra, Rb = (np.array([matrix(q) for q in qs]) for qs in (qa, qb))
    turn = np.einsum("mji,mjk->mik", Rb, Ra)
    shift = np.einsum("mji,mj->mi", Rb, xa - xb) + turn @ A.offset - B.offset
    return turn, shift


_X, _Y = np.concatenate([RING, [[0, 0]]]).T
FIT = np.linalg.pinv(np.stack([1 + 0 * _X, _X, _Y, _X * _X / 2, _X * _Y, _Y * _Y / 2], axis=1))


def lowest(shape, other, turn, shift, count):
    """The lowest distances of points of a shape from another, for many poses: from the grid, each refined by a search on rings and by
    the minimum of a quadratic through them. Values (poses, count), ascending, and parameters (poses, count, k)."""
    params, samples, spacing = shape.params(), shape.samples(), shape.spacing()
    m = len(turn)

    def levels(points, which):
        return other.level(np.einsum("mij,mnj->mni", turn[which], points).reshape(-1, 3) + np.repeat(shift[which], points.shape[1], axis=0)).reshape(points.shape[:2])
    values = levels(np.broadcast_to(samples, (m, *samples.shape)), np.arange(m))
    pose, p, best = [], [], []
    for _ in range(count):
        k = np.argmin(values, axis=1)
        pose.append(np.arange(m))
        p.append(params[k])
        best.append(values[np.arange(m), k])
        values[np.linalg.norm(params[None] - params[k][:, None], axis=2) < 1.5 * spacing] = np.inf
    pose, p, best = np.concatenate(pose), np.concatenate(p).astype(float), np.concatenate(best)
    shrink, turn_ring = (0.35, np.eye(2)) if shape.smooth else (0.6, np.array([[0.8, 0.6], [-0.6, 0.8]]))
    along = np.eye(2)
    # On an edge that no ring meets well the search gets stuck: it begins again from there, with other rings.
    for first in (1,) if shape.smooth else (1, 0.3, 0.1, 0.03, 0.01):
        near = np.flatnonzero(best < spacing * shape.size)
        h = np.full(len(near), first * spacing)
        while len(near):
            # Along edges a search needs patience, and rings that turn.
            along = along @ turn_ring
            steps = h[:, None, None] * (RING @ along)
            around = shape.around(p[near], steps)
            found = levels(shape.at(around.reshape(-1, around.shape[2])).reshape(*around.shape[:2], 3), pose[near])
            c = np.nan_to_num(np.concatenate([found, best[near, None]], axis=1), posinf=1e30) @ FIT.T
            det = c[:, 3] * c[:, 5] - c[:, 4] ** 2
            jump = np.stack([c[:, 4] * c[:, 2] - c[:, 5] * c[:, 1], c[:, 4] * c[:, 1] - c[:, 3] * c[:, 2]], axis=1) / np.where(det > 0, det, np.inf)[:, None]
            jump /= np.maximum(np.linalg.norm(jump, axis=1, keepdims=True), 1)
            there = shape.around(p[near], h[:, None, None] * (jump @ along)[:, None, :])
            value = levels(shape.at(there.reshape(-1, there.shape[2])).reshape(*there.shape[:2], 3), pose[near])[:, 0]
            k = np.argmin(found, axis=1)
            low = found[np.arange(len(near)), k]
            fitted = (value <= low) & (value < best[near])
            ring = ~fitted & (low < best[near])
            p[near] = np.where(fitted[:, None], there[:, 0], np.where(ring[:, None], around[np.arange(len(near)), k], p[near]))
            best[near] = np.minimum(best[near], np.minimum(value, low))
            inside = np.linalg.norm(jump, axis=1) < 0.5
            h = h * np.where(fitted & inside, 0.1, np.where(fitted | ring, 0.8, shrink))
            keep = h > 1e-5
            near, h = near[keep], h[keep]
    points = shape.at(p)
    exact = other.distance(np.einsum("mij,mj->mi", turn[pose], points) + shift[pose])
    exact = np.where(np.isfinite(exact), exact, best).reshape(count, m).T
    order = np.argsort(exact, axis=1)
    p = p.reshape(count, m, -1).transpose(1, 0, 2)
    return np.take_along_axis(exact, order, axis=1), np.take_along_axis(p, order[:, :, None], axis=1)


# Copies


def compare(scene, base, other, back, mirrored):
    """How far two records of the same scene are apart, relative to the bodies' sizes and speeds: times of common frames, and the greatest
    deviation up to each. `back` turns vectors of the other record into the axes of the first. Beyond solver trouble nothing is compared."""
    end = min([e["t"] for r in (base, other) for e in r.events if text(e["kind"]) in TROUBLE] + [np.inf])
    times, i, j = np.intersect1d(base.t, other.t, return_indices=True)
    keep = times < end
    times, i, j = times[keep], i[keep], j[keep]
    deviation = np.zeros(len(times))
    for b in scene.bodies:
        if not b.moves_freely() or not len(times):
            continue
        s, o = base.bodies[b.name], other.bodies[b.name]
        size = b.shape.size
        v, w = s["velocity"][i], s["angular_velocity"][i]
        speed = np.max(np.linalg.norm(v, axis=1)) + size * np.max(np.linalg.norm(w, axis=1)) + math.sqrt(scene.gravity * size) + 1e-300
        x = np.linalg.norm(o["position"][j] @ back.T - s["position"][i], axis=1) / size
        u = np.linalg.norm(o["velocity"][j] @ back.T - v, axis=1) / speed
        sign = -1 if mirrored else 1
        r = np.linalg.norm(sign * o["angular_velocity"][j] @ back.T - w, axis=1) * size / speed
        deviation = np.maximum(deviation, np.maximum(x, np.maximum(u, r)))
    return times, np.maximum.accumulate(deviation)
