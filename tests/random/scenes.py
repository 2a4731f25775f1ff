"""Random valid scenes: a seed gives a scene, always the same one.

A Scene is plain data. It writes itself as TOML, and it can be turned about the vertical, mirrored and put into another order.
"""

import copy
import dataclasses
import math
import random
from typing import Optional

import numpy as np

import shapes as sh
from shapes import number, vector

CATEGORIES = ("flight", "single", "chains", "hollows", "many", "edges", "drives")
GRAVITY = 9.81


class Rng:
    """Draws from random(), whose sequence Python guarantees for a seed; all else is computed here."""

    def __init__(self, seed):
        self.source = random.Random(seed)

    def uniform(self, a=0.0, b=1.0):
        return a + (b - a) * self.source.random()

    def log(self, a, b):
        return math.exp(self.uniform(math.log(a), math.log(b)))

    def chance(self, p):
        return self.source.random() < p

    def pick(self, items):
        return items[min(int(self.source.random() * len(items)), len(items) - 1)]

    def integer(self, a, b):
        return a + min(int(self.source.random() * (b - a + 1)), b - a)

    def direction(self):
        z, a = self.uniform(-1, 1), self.uniform(0, 2 * math.pi)
        r = math.sqrt(1 - z * z)
        return np.array([r * math.cos(a), r * math.sin(a), z])

    def quaternion(self):
        u, a, b = self.uniform(), self.uniform(0, 2 * math.pi), self.uniform(0, 2 * math.pi)
        return np.array([math.sqrt(1 - u) * math.cos(a), math.sqrt(1 - u) * math.sin(a), math.sqrt(u) * math.cos(b),
                         math.sqrt(u) * math.sin(b)])


def matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def product(p, q):
    a, b = p[0], q[0]
    return np.concatenate([[a * b - p[1:] @ q[1:]], a * q[1:] + b * p[1:] + np.cross(p[1:], q[1:])])


def about(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.concatenate([[math.cos(angle / 2)], math.sin(angle / 2) * axis])


MIRROR = np.diag([-1.0, 1.0, 1.0])


@dataclasses.dataclass
class Sum:
    """A vector that changes in time: constant + sum of vector_k f_k(t), f_k written as formulas."""

    constant: np.ndarray
    terms: list

    def toml(self):
        texts = []
        for k in range(3):
            parts = [number(self.constant[k])] + [f"{number(v[k])}*({f})" for v, f in self.terms if v[k] != 0]
            texts.append('"' + " + ".join(parts) + '"')
        return "[" + ", ".join(texts) + "]"

    def turned(self, m):
        return Sum(m @ self.constant, [(m @ v, f) for v, f in self.terms])

    def at(self, t):
        names = {"t": t, "sin": math.sin, "cos": math.cos, "exp": math.exp}
        return self.constant + sum(v * eval(f.replace("^", "**"), names) for v, f in self.terms)


@dataclasses.dataclass
class Body:
    name: str
    shape: sh.Shape
    position: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    quaternion: np.ndarray = dataclasses.field(default_factory=lambda: np.array([1.0, 0, 0, 0]))
    velocity: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    spin: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    fixed: bool = False
    density: Optional[float] = None
    mass: float = 0.0
    inertia: Optional[np.ndarray] = None
    offset: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))  # of the shape in the body
    place: Optional[str] = None
    rolling: bool = False
    motion: Optional[dict] = None
    rest: bool = False  # it must stay where it is

    def moves_freely(self):
        return not self.fixed and self.motion is None

    def toml(self):
        lines = ["[[body]]", f'name = "{self.name}"', 'material = "m"']
        shape = self.shape.toml()
        if np.any(self.offset):
            shape += f", position = {vector(self.offset)}"
        lines.append(f"shape = {{ {shape} }}")
        if self.fixed:
            lines.append("fixed = true")
        elif self.motion:
            keys = []
            for key, value in self.motion.items():
                if isinstance(value, Sum):
                    keys.append(f"{key} = {value.toml()}")
                elif isinstance(value, str):
                    keys.append(f'{key} = "{value}"')
                elif isinstance(value, list):
                    keys.append(f"{key} = {sh.rows(value) if np.ndim(value[0]) else vector(value)}")
                else:
                    keys.append(f"{key} = {vector(value)}")
            lines.append(f"motion = {{ {', '.join(keys)} }}")
        elif self.density is not None:
            lines.append(f"density = {number(self.density)}")
        else:
            lines += [f"mass = {number(self.mass)}", f"inertia = {sh.rows(self.inertia)}"]
        lines.append(f"position = {vector(self.position)}")
        lines.append(f"orientation = {vector(self.quaternion)}")
        if self.moves_freely():
            lines.append(f"angular_velocity = {vector(self.spin)}")
            if not self.rolling:
                lines.append(f"velocity = {vector(self.velocity)}")
        if self.place:
            lines.append(f'place = {{ drop_on = "{self.place}"{", rolling = true" if self.rolling else ""} }}')
        return "\n".join(lines)

    def turned(self, q):
        m = matrix(q)
        out = copy.copy(self)
        out.position, out.velocity, out.spin = m @ self.position, m @ self.velocity, m @ self.spin
        out.quaternion = product(q, self.quaternion)
        if self.motion:
            out.motion = {}
            for key, value in self.motion.items():
                if isinstance(value, Sum):
                    out.motion[key] = value.turned(m)
                elif key in ("positions", "rotation_vectors"):
                    out.motion[key] = [m @ v for v in value]
                elif key == "rotation_axis":
                    out.motion[key] = m @ value
                else:
                    out.motion[key] = value
        return out

    def mirrored(self):
        own = np.eye(3)
        own[getattr(self.shape, "mirror_axis", 0)] *= -1
        out = copy.copy(self)
        out.shape = self.shape.mirrored()
        out.position, out.velocity = MIRROR @ self.position, MIRROR @ self.velocity
        out.spin = -MIRROR @ self.spin
        out.offset = own @ self.offset
        if self.inertia is not None:
            out.inertia = own @ self.inertia @ own
        out.quaternion = quaternion_of(MIRROR @ matrix(self.quaternion) @ own)
        if self.motion:
            out.motion = {}
            for key, value in self.motion.items():
                if key in ("position", "surface_velocity"):
                    out.motion[key] = value.turned(MIRROR)
                elif key == "positions":
                    out.motion[key] = [MIRROR @ v for v in value]
                elif key == "rotation_vectors":
                    out.motion[key] = [-MIRROR @ v for v in value]
                elif key == "rotation_axis":
                    out.motion[key] = -MIRROR @ value
                elif key == "surface_spin":
                    out.motion[key] = f"-({value})"
                else:
                    out.motion[key] = value
        return out


def quaternion_of(m):
    """By the largest of the four components."""
    t = np.array([m[0, 0] + m[1, 1] + m[2, 2], m[0, 0] - m[1, 1] - m[2, 2], m[1, 1] - m[0, 0] - m[2, 2], m[2, 2] - m[0, 0] - m[1, 1]])
    k = int(np.argmax(t))
    if k == 0:
        q = np.array([1 + t[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    elif k == 1:
        q = np.array([m[2, 1] - m[1, 2], 1 + t[1], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]])
    elif k == 2:
        q = np.array([m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], 1 + t[2], m[1, 2] + m[2, 1]])
    else:
        q = np.array([m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], 1 + t[3]])
    return q / np.linalg.norm(q)


@dataclasses.dataclass
class Scene:
    seed: int
    category: str
    duration: float
    gravity: float
    bodies: list
    law: dict
    frames: int = 48
    springs: list = dataclasses.field(default_factory=list)  # (body, body, point, point, stiffness, damping, length)
    drags: list = dataclasses.field(default_factory=list)  # (body, linear, angular)
    loads: list = dataclasses.field(default_factory=list)  # (body, Sum)
    rtol: Optional[float] = None

    def body(self, name):
        return next(b for b in self.bodies if b.name == name)

    def toml(self):
        lines = ["oloid = 1", f'name = "random scene {self.seed}, {self.category}"', f"duration = {number(self.duration)}",
                 f"gravity = {vector([0, 0, -self.gravity])}", "", "[output]", f"dt = {number(self.duration / self.frames)}"]
        if self.rtol:
            lines += ["[solver]", f"rtol = {number(self.rtol)}"]
        lines += ["", "[[material]]", 'name = "m"']
        lines += [f"{key} = " + (f'"{value}"' if isinstance(value, str) else number(value)) for key, value in self.law.items()]
        for b in self.bodies:
            lines += ["", b.toml()]
        for a, b, p, q, stiffness, damping, length in self.springs:
            lines += ["", "[[spring]]", f'bodies = ["{a}", "{b}"]', f"points = {sh.rows([p, q])}",
                      f"stiffness = {number(stiffness)}", f"damping = {number(damping)}", f"length = {number(length)}"]
        for body, linear, angular in self.drags:
            lines += ["", "[[drag]]", f'body = "{body}"', f"linear = {number(linear)}", f"angular = {number(angular)}"]
        for body, force in self.loads:
            lines += ["", "[[load]]", f'body = "{body}"', f"force = {force.toml()}"]
        return "\n".join(lines) + "\n"

    def files(self):
        out = {}
        for b in self.bodies:
            out.update(b.shape.files())
        return out

    def turned(self, angle):
        q = about([0, 0, 1], angle)
        return dataclasses.replace(self, bodies=[b.turned(q) for b in self.bodies], loads=[(b, f.turned(matrix(q))) for b, f in self.loads])

    def mirrored(self):
        flips = {b.name: [-1 if k == getattr(b.shape, "mirror_axis", 0) else 1 for k in range(3)] for b in self.bodies}
        springs = [(a, b, np.array(p) * flips[a], np.array(q) * flips[b], *rest) for a, b, p, q, *rest in self.springs]
        return dataclasses.replace(self, bodies=[b.mirrored() for b in self.bodies], springs=springs,
                                   loads=[(b, f.turned(MIRROR)) for b, f in self.loads])

    def permuted(self):
        return dataclasses.replace(self, bodies=self.bodies[::-1])


# Shapes


def smooth_shape(rng, size, kinds=None):
    """A closed shape without edges whose bounding radius is about size."""
    usual = ("sphere", "ellipsoid", "ellipsoid", "quadric", "implicit", "superellipsoid", "torus", "revolution", "metaballs", "quartic")
    kind = rng.pick(kinds or usual + usual + ("subdivision",))  # which is slow
    axes = np.array([size * rng.log(0.3, 1) for _ in range(3)])
    if kind == "sphere":
        return sh.sphere(size * rng.uniform(0.4, 1))
    if kind in ("ellipsoid", "quadric", "implicit"):
        return sh.Ellipsoid(axes, form=kind)
    if kind == "superellipsoid":
        return sh.Superellipsoid(axes, rng.uniform(2.2, 5), rng.uniform(2.2, 5))
    if kind == "torus":
        minor = size * rng.uniform(0.1, 0.4)
        return sh.Torus(size - minor, minor)
    if kind == "revolution":
        a = size * rng.uniform(0.5, 0.9)
        return sh.Revolution(a, a * rng.uniform(0.7, 1.3), size * rng.uniform(0.4, 0.8), size * rng.uniform(0.4, 0.8))
    if kind == "metaballs":
        return sh.Metaballs(size * rng.uniform(0.1, 0.45), size)
    if kind == "dumbbell":
        r = size * rng.uniform(0.2, 0.35)
        return sh.Dumbbell(size - r, r)
    if kind == "quartic":
        return sh.Quartic(*axes)
    return sh.Subdivision(size, [1, rng.pick((0.5, 0.7, 1)), rng.pick((0.4, 0.6, 1))])


def edged_shape(rng, size):
    kind = rng.pick(("box", "polyhedron", "can", "frustum", "oloid", "sphericon", "cut", "pillow", "tube"))
    if kind == "box":
        return sh.Box([size * rng.log(0.2, 1) for _ in range(3)])
    if kind == "polyhedron":
        while True:
            points = [size * rng.uniform(0.8, 1) * rng.direction() for _ in range(rng.integer(5, 8))]
            middle = np.mean(points, axis=0)
            body = sh.Polyhedron([p - middle for p in points])
            if body.thickness > 0.15 * size:
                return body
    if kind == "can":
        r = size * rng.uniform(0.2, 0.8)
        return sh.Frustum(r, r, size * rng.uniform(0.3, 1.2))
    if kind == "frustum":
        return sh.Frustum(size * rng.uniform(0.2, 0.8), size * rng.uniform(0.2, 0.8), size * rng.uniform(0.3, 1.2))
    if kind == "oloid":
        r = size * 0.6
        return sh.Hull(r, r * rng.pick((1.0, math.sqrt(2))))
    if kind == "sphericon":
        return sh.Sphericon(size)
    if kind == "cut":
        return sh.CutBall(size, size * rng.uniform(0.1, 0.7))
    if kind == "pillow":
        return sh.Pillow(size * 0.7, size * rng.uniform(0.5, 1.5))
    return sh.Frustum(size * 0.5, size * 0.5, size)


def thin_shape(rng, size):
    t = rng.log(0.005, 0.1)
    kind = rng.pick(("disc", "needle", "sheet", "ring", "cushion"))
    if kind == "disc":
        return sh.Ellipsoid([size, size * rng.uniform(0.5, 1), size * t])
    if kind == "needle":
        return sh.Ellipsoid([size, size * t, size * t * rng.uniform(0.5, 1)])
    if kind == "sheet":
        return sh.Box([size, size * rng.uniform(0.5, 1), size * t])
    if kind == "ring":
        return sh.Torus(size * (1 - t), size * t)
    return sh.Superellipsoid([size, size * rng.uniform(0.5, 1), size * t], rng.uniform(2.2, 4), rng.uniform(2.2, 4))


def heavy(rng, name, shape, **rest):
    """A body with mass: by density where the judge knows the exact integrals, else stated."""
    density = rng.log(100, 5000)
    mass, centre, inertia = shape.mass_properties(density)
    exact = isinstance(shape, (sh.Ellipsoid, sh.Torus, sh.Box))
    if exact and rng.chance(0.6):
        return Body(name, shape, density=density, mass=mass, inertia=inertia, **rest)
    if not exact:
        inertia = inertia * rng.uniform(0.8, 1.2)
    return Body(name, shape, mass=mass, inertia=(inertia + inertia.T) / 2, offset=-centre, **rest)


def law(rng, friction=None, restitution=None):
    mu = friction if friction is not None else rng.pick((0.0, rng.log(0.05, 1), rng.log(0.05, 1), rng.log(0.3, 3), "unlimited"))
    out = {"friction": mu, "restitution": restitution if restitution is not None else rng.pick((0.0, rng.uniform(), rng.uniform(), 1.0))}
    if mu != "unlimited" and mu != 0 and rng.chance(0.2):
        out["kinetic_friction"] = mu * rng.uniform(0.5, 1)
    if rng.chance(0.1) and mu != 0:
        out["tangential_restitution"] = rng.uniform(-1, 1)
    return out


def resistance(rng, out, size):
    if rng.chance(0.6):
        out["rolling_resistance"] = size * rng.log(1e-4, 0.05)
    if rng.chance(0.6):
        out["spin"] = rng.pick(("stuck", size * rng.log(1e-4, 0.05)))
    return out


# Categories


def flight(rng, seed):
    """Bodies in free space or falling, thrown at each other: any shape, also thin and fast ones."""
    size = rng.log(1e-3, 10)
    g = rng.pick((0.0, GRAVITY))
    fast = rng.chance(0.35)

    def shape(s):
        if fast or rng.chance(0.15):
            return thin_shape(rng, s)
        return smooth_shape(rng, s) if rng.chance(0.7) else edged_shape(rng, s)

    n = rng.pick((1, 2, 2, 2, 3))
    speed = rng.log(1, 1e5) * size if fast else rng.log(0.3, 30) * size
    turn = rng.log(1, 1e4) if fast else rng.log(0.1, 50)
    bodies = [heavy(rng, "a", shape(size), quaternion=rng.quaternion(), spin=turn * rng.direction() * rng.pick((0, 1)))]
    away = size * rng.uniform(2.5, 6)
    for k in range(1, n):
        s = size * rng.log(0.1, 1)
        d = rng.direction()
        if k == 2:
            d = -np.array(first)  # from the other side, so that the two do not start in each other
        first = d
        aim = size * rng.uniform(0, 1.2) * rng.direction()
        start = away * (1 + 0.7 * (k - 1)) * d
        v = speed * (aim - start) / np.linalg.norm(aim - start)
        bodies.append(heavy(rng, "abc"[k], shape(s), quaternion=rng.quaternion(), position=start, velocity=v,
                            spin=turn * rng.direction() * rng.pick((0, 1, 1))))
    scene = Scene(seed, "flight", 2 * away / speed, g, bodies, law(rng))
    if rng.chance(0.1) and n > 1 and not fast:
        scene.springs.append(("a", "b", np.zeros(3), 0.3 * size * rng.direction(), bodies[1].mass * (speed / size) ** 2 * rng.log(0.01, 1),
                              0.0, away * rng.uniform(0.5, 1)))
    if rng.chance(0.1) and not fast:
        scene.drags.append(("a", bodies[0].mass * speed / size * rng.log(0.01, 1), bodies[0].mass * speed * size * rng.log(0.001, 0.1)))
    if rng.chance(0.1) and not fast:
        force = bodies[0].mass * speed**2 / size * rng.log(0.01, 0.3)
        scene.loads.append(("a", Sum(force * rng.direction(), [(force * rng.direction(), f"sin({number(speed / size)}*t)")])))
    return scene


def ground(rng, size, kinds):
    """Something fixed under or around the origin, whose surface passes near it."""
    kind = rng.pick(kinds)
    r = size * rng.uniform(4, 12)
    if kind == "plane":
        return Body("ground", sh.Plane(), fixed=True)
    if kind == "slope":
        return Body("ground", sh.Plane(), fixed=True, quaternion=about(rng.direction() * [1, 1, 0] + [1e-3, 0, 0], rng.uniform(0.02, 0.6)))
    if kind == "dome":
        return Body("ground", sh.sphere(r), fixed=True, position=np.array([0, 0, -r]))
    if kind == "bowl":
        return Body("ground", sh.sphere(r, cavity=True), fixed=True, position=np.array([0, 0, r]))
    if kind == "basin":
        axes = r * np.array([rng.uniform(1, 1.5), rng.uniform(1, 1.5), rng.uniform(0.8, 1)])
        return Body("ground", sh.Ellipsoid(axes, cavity=True), fixed=True, position=np.array([0, 0, axes[2]]))
    if kind == "egg":
        axes = r * np.array([rng.uniform(1, 1.5), rng.uniform(1, 1.5), rng.uniform(0.6, 1)])
        return Body("ground", sh.Ellipsoid(axes), fixed=True, position=np.array([0, 0, -axes[2]]))
    if kind == "bore":
        return Body("ground", sh.Cylinder(r, cavity=True), fixed=True, position=np.array([0, 0, r]), quaternion=about([1, 0, 0], math.pi / 2))
    if kind == "log":
        return Body("ground", sh.Cylinder(r), fixed=True, position=np.array([0, 0, -r]), quaternion=about([0, 1, 0], math.pi / 2))
    if kind == "ring":
        return Body("ground", sh.Torus(2 * r, r), fixed=True, position=np.array([2 * r, 0, -r]))
    if kind == "formula":
        h = [[0.15 * r * rng.uniform(0.2, 1), 2.0], [2.0, 0]]
        return Body("ground", sh.Hills("implicit", 2 * r, h), fixed=True)
    n = rng.integer(3, 4) if kind == "bezier" else rng.integer(5, 7)
    heights = [[0.3 * r * rng.uniform(-0.5, 0.5) for _ in range(n + 1)] for _ in range(n + 1)]
    return Body("ground", sh.Hills(kind, 2 * r, heights), fixed=True)


GROUNDS = ("plane", "plane", "slope", "dome", "bowl", "basin", "egg", "bore", "log", "ring", "formula", "bezier", "nurbs")


def single(rng, seed):
    """One smooth body that starts on smooth ground."""
    size = rng.log(1e-3, 10)
    base = ground(rng, size, GROUNDS)
    still = base.shape.toml() == 'type = "plane"' and np.array_equal(base.quaternion, [1, 0, 0, 0]) and rng.chance(0.15)
    tempo = math.sqrt(GRAVITY / size)
    if still:
        body = heavy(rng, "a", smooth_shape(rng, size, ("sphere",)), quaternion=rng.quaternion(), place="ground", rest=True)
    else:
        shape = smooth_shape(rng, size)
        body = heavy(rng, "a", shape, quaternion=rng.quaternion(), place="ground", spin=tempo * rng.log(0.05, 5) * rng.direction())
        if rng.chance(0.6):
            body.rolling = True
        else:
            body.velocity = tempo * size * rng.log(0.05, 2) * rng.direction() * [1, 1, 0]
    body.position = size * np.array([rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 4])
    rules = law(rng)
    if rng.chance(0.3) and rules["friction"] != 0:
        resistance(rng, rules, size)
    return Scene(seed, "single", rng.uniform(2, 6) / tempo, GRAVITY, [base, body], rules)


def chains(rng, seed):
    """Bodies on bodies, with friction."""
    size = rng.log(1e-2, 3)
    base = ground(rng, size, ("plane", "plane", "slope", "bowl", "dome", "egg"))
    tempo = math.sqrt(GRAVITY / size)
    bodies = [base]
    height = 3 * size
    for k in range(rng.integer(2, 4)):
        s = size * rng.uniform(0.4, 1)
        shape = smooth_shape(rng, s, ("sphere", "sphere", "ellipsoid", "superellipsoid", "revolution", "quadric"))
        bodies.append(heavy(rng, f"b{k}", shape, quaternion=rng.quaternion(), place=bodies[-1].name,
                            spin=tempo * rng.log(0.01, 2) * rng.direction() * rng.pick((0, 1)),
                            position=np.array([0.1 * s * rng.uniform(-1, 1), 0.1 * s * rng.uniform(-1, 1), height])))
        height += 4 * size
    rules = law(rng, friction=rng.pick((rng.log(0.1, 1), rng.log(0.3, 2), "unlimited")))
    if rng.chance(0.25):
        resistance(rng, rules, size)
    return Scene(seed, "chains", rng.uniform(1, 3) / tempo, GRAVITY, bodies, rules)


def hollows(rng, seed):
    """Bodies that bounce about in a cavity."""
    size = rng.log(1e-2, 3)
    kind = rng.pick(("sphere", "ellipsoid", "superellipsoid", "bore"))
    r = size * rng.uniform(1.8, 5)
    if kind == "sphere":
        shape = sh.sphere(r, cavity=True)
    elif kind == "ellipsoid":
        shape = sh.Ellipsoid(r * np.array([rng.uniform(1, 1.6), rng.uniform(1, 1.6), 1]), cavity=True)
    elif kind == "superellipsoid":
        shape = sh.Superellipsoid(r * np.array([rng.uniform(1, 1.6), rng.uniform(1, 1.6), 1]), rng.uniform(2.2, 6), rng.uniform(2.2, 6), cavity=True)
    else:
        shape = sh.Cylinder(r, cavity=True)
    base = Body("hollow", shape, fixed=True, quaternion=rng.quaternion())
    tempo = math.sqrt(GRAVITY / size)
    bodies = [base]
    for k in range(rng.pick((1, 1, 1, 2))):
        s = size * (1 if k == 0 else 0.3) * rng.uniform(0.5, 1)
        if rng.chance(0.25):
            form = thin_shape(rng, s)
        elif rng.chance(0.2):
            form = edged_shape(rng, s)
        else:
            form = smooth_shape(rng, s, ("sphere", "ellipsoid", "ellipsoid", "superellipsoid", "torus", "revolution", "metaballs", "dumbbell", "quartic"))
        bodies.append(heavy(rng, f"b{k}", form, quaternion=rng.quaternion(), spin=tempo * rng.log(0.1, 10) * rng.direction(),
                            velocity=tempo * size * rng.log(0.1, 5) * rng.direction(), position=np.array([0, 0, -0.0 if k == 0 else 1.4 * size])))
    return Scene(seed, "hollows", rng.uniform(3, 8) / tempo, rng.pick((GRAVITY, GRAVITY, 0.0)), bodies, law(rng))


def many(rng, seed):
    """Six to twelve bodies above ground, on a grid, falling."""
    size = rng.log(1e-2, 1)
    base = ground(rng, 3 * size, ("plane", "plane", "slope", "bowl", "formula", "bezier"))
    tempo = math.sqrt(GRAVITY / size)
    bodies = [base]
    for k in range(rng.integer(6, 12)):
        s = size * rng.uniform(0.3, 1)
        shape = edged_shape(rng, s) if rng.chance(0.15) else smooth_shape(rng, s, ("sphere", "sphere", "ellipsoid", "superellipsoid", "torus",
                                                                                   "revolution", "quadric"))
        place = np.array([(k % 3 - 1) * 2.3 * size, (k // 3 - 1) * 2.3 * size, size * rng.uniform(5.5, 8)])
        bodies.append(heavy(rng, f"b{k}", shape, quaternion=rng.quaternion(), position=place, velocity=tempo * size * rng.uniform(0, 0.6) * rng.direction(),
                            spin=tempo * rng.uniform(0, 2) * rng.direction()))
    return Scene(seed, "many", rng.uniform(3, 5) / tempo, GRAVITY, bodies, law(rng), frames=32)


def edges(rng, seed):
    """A body with edges dropped or put down flat, on an edge, on a corner, beside others."""
    size = rng.log(1e-2, 3)
    tempo = math.sqrt(GRAVITY / size)
    kind = rng.pick(("plane", "plane", "plane", "slope", "block", "ball"))
    if kind == "block":
        base = Body("ground", sh.Box([6 * size, 6 * size, size]), fixed=True, position=np.array([0, 0, -size / 2]))
    elif kind == "ball":
        base = Body("ground", sh.sphere(4 * size), fixed=True, position=np.array([0, 0, -4 * size]))
    else:
        base = ground(rng, size, (kind,))
    shape = rng.pick((edged_shape, edged_shape, edged_shape, smooth_shape))(rng, size)
    pose = rng.pick(("flat", "edge", "corner", "random"))
    quarter = about([1, 0, 0], rng.pick((0, math.pi / 2)))
    q = {"flat": quarter, "edge": product(about([1, 0, 0], math.pi / 4), quarter), "random": rng.quaternion(),
         "corner": product(about([1, 0, 0], math.pi / 4), about([0, 1, 0], math.atan(1 / math.sqrt(2))))}[pose]
    body = heavy(rng, "a", shape, quaternion=q, position=np.array([0, 0, size * rng.uniform(2.5, 4)]))
    if rng.chance(0.3):
        body.place = "ground"
    else:
        body.velocity = tempo * size * rng.pick((0, 1)) * rng.direction() * [1, 1, 0]
        body.spin = tempo * rng.pick((0, 0, 1)) * rng.direction()
    bodies = [base, body]
    if rng.chance(0.4):
        s = size * rng.uniform(0.3, 0.8)
        other = rng.pick((edged_shape, smooth_shape))(rng, s)
        bodies.append(heavy(rng, "beside", other, quaternion=rng.quaternion(), position=np.array([rng.uniform(-2.2, 2.2) * size, 2.2 * size, size * rng.uniform(2.5, 4)]),
                            velocity=np.array([0, -size * tempo * rng.uniform(0, 2), 0])))
    return Scene(seed, "edges", rng.uniform(3, 5) / tempo, GRAVITY, bodies, law(rng))


def drives(rng, seed):
    """Moving ground, belts, rotors, resistance."""
    size = rng.log(1e-2, 3)
    tempo = math.sqrt(GRAVITY / size)
    kind = rng.pick(("turntable", "shaker", "keys", "belt", "belt", "curved belt", "rotor", "rotor"))
    w = number(tempo * rng.uniform(0.5, 3))
    body = heavy(rng, "a", smooth_shape(rng, size), quaternion=rng.quaternion(), place="ground",
                 position=size * np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), 4]))
    duration = rng.uniform(2, 5) / tempo
    if kind == "rotor":
        # A turning body in a crowd of balls that fall on it.
        paddle = rng.pick((sh.Box([4 * size, size, 0.4 * size]), sh.Ellipsoid([2.5 * size, size, 0.5 * size]), sh.Torus(1.5 * size, 0.4 * size),
                           sh.Superellipsoid([2 * size, size, 0.6 * size], 3, 3), smooth_shape(rng, 2 * size)))
        turn = number(rng.log(1, 100) * tempo)
        base = Body("ground", paddle, motion={"rotation_axis": rng.direction(), "angle": f"{turn}*t"}, quaternion=rng.quaternion())
        body.place = None
        body.position = size * np.array([rng.uniform(-2, 2), rng.uniform(-2, 2), 4.5])
        body.velocity = np.array([0, 0, -tempo * size * rng.uniform(0, 3)])
    elif kind == "turntable":
        base = Body("ground", sh.Plane(), motion={"rotation_axis": np.array([0, 0, 1.0]), "angle": f"0.5*{w}*t"})
        body.rolling = rng.chance(0.7)
    elif kind == "shaker":
        base = Body("ground", sh.Plane(), motion={"position": Sum(np.zeros(3), [(0.3 * size * rng.direction() * [1, 1, 0.3], f"1-cos({w}*t)")])})
    elif kind == "keys":
        times = [0.0] + [duration * k / 3 for k in (1, 2, 4)]
        base = Body("ground", sh.Plane(), motion={"times": times, "positions": [np.zeros(3)] + [0.3 * size * rng.direction() * [1, 1, 0.2] for _ in range(3)]})
        if rng.chance(0.5):
            base.motion["rotation_vectors"] = [np.zeros(3)] + [0.2 * rng.direction() for _ in range(3)]
    else:
        base = ground(rng, size, ("plane", "log") if kind == "belt" else ("dome", "egg", "ring", "formula", "bezier"))
        base.fixed = False
        speed = tempo * size * rng.uniform(0.2, 2)
        direction = rng.direction() * [1, 1, 0] if kind != "belt" or isinstance(base.shape, sh.Plane) else np.array([1.0, 0, 0])
        base.motion = {"surface_velocity": Sum(speed * direction, [])}
        if isinstance(base.shape, sh.Cylinder) and rng.chance(0.5):
            base.motion = {"surface_spin": f"{number(speed / base.shape.radius)}*cos({w}*t)"}
        body.rolling = rng.chance(0.5)
    rules = law(rng)
    if rules["friction"] != 0 and rng.chance(0.5):
        resistance(rng, rules, size)
    scene = Scene(seed, "drives", duration, GRAVITY, [base, body], rules)
    if rng.chance(0.15):
        scene.drags.append(("a", body.mass * tempo * rng.log(0.01, 1), body.mass * tempo * size**2 * rng.log(0.001, 0.1)))
    return scene


def scene(seed):
    """The scene of a seed; the category follows from it, too."""
    category = CATEGORIES[seed % len(CATEGORIES)]
    return globals()[category](Rng(seed), seed)
