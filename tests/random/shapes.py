"""Shapes as the judge sees them: formulas of its own, none shared with the program.

A shape can be written into a scene (`toml`), tells how far points are from its surface (`distance`: negative inside, exact to first
order near the surface), and yields points of the solid (`params`, `at`, `around`: a grid over its surface that can be refined around any of its points).
"""

import math

import numpy as np

SAMPLES = 400


def fibonacci_sphere(n):
    """n directions, evenly spread."""
    k = np.arange(n) + 0.5
    z = 1 - 2 * k / n
    phi = k * math.pi * (3 - math.sqrt(5))
    rho = np.sqrt(1 - z * z)
    return np.stack([rho * np.cos(phi), rho * np.sin(phi), z], axis=1)


DIRECTIONS = fibonacci_sphere(SAMPLES)
RING = np.array([[math.cos(a), math.sin(a)] for a in np.arange(10) * (2 * math.pi / 10)] +
                [[0.4 * math.cos(a + 0.3), 0.4 * math.sin(a + 0.3)] for a in np.arange(5) * (2 * math.pi / 5)])


def number(value):
    """A number as scene files write it, exact to the last bit."""
    return repr(float(value))


def vector(values):
    return "[" + ", ".join(number(v) for v in values) + "]"


def rows(points):
    return "[" + ", ".join(vector(p) for p in points) + "]"


class Shape:
    """A bounded solid around its origin unless `size` is infinite. `smooth`: it has neither edges, tips nor borders.
    `flats`: it has straight lines or plane faces, so that it may touch along a line or over a face."""

    smooth = True
    flats = False
    convex = True
    border = False  # an open surface: a contact can reach its end
    thickness = None  # twice the radius of the largest ball inside, about

    def toml(self):
        raise NotImplementedError

    def level(self, p):
        """Negative inside, zero on the surface, a length: cheap, and good enough to search with. None: the judge has no test."""
        raise NotImplementedError

    def distance(self, p):
        """Signed distance of points p from the surface, exact to first order there: level / |grad level| by central differences."""
        value = self.level(p)
        if value is None:
            return None
        h = 1e-6 * self.thickness if self.thickness else 1e-6 * self.half
        slope = np.zeros_like(p)
        for k in range(3):
            step = np.zeros(3)
            step[k] = h
            slope[:, k] = (self.level(p + step) - self.level(p - step)) / (2 * h)
        return value / np.maximum(np.linalg.norm(slope, axis=1), 1e-300)

    def mirrored(self):
        """The shape seen in a mirror that turns x around; most are their own images."""
        return self

    def files(self):
        return {}

    # A grid over the surface: rays from the origin by default (star-shaped solids).
    def params(self):
        return DIRECTIONS

    def spacing(self):
        return 2.0 / math.sqrt(SAMPLES)

    def around(self, params, steps):
        """Parameters displaced by steps (m, n, 2) in a plane tangent to each of the m parameters: (m, n, k)."""
        e = np.eye(3)[np.argmin(np.abs(params), axis=1)]
        t1 = np.cross(params, e)
        t1 /= np.linalg.norm(t1, axis=1, keepdims=True)
        t2 = np.cross(params, t1)
        out = params[:, None, :] + steps[:, :, :1] * t1[:, None, :] + steps[:, :, 1:] * t2[:, None, :]
        return out / np.linalg.norm(out, axis=2, keepdims=True)

    def at(self, params):
        """Points on the surface along rays, by bisection of the sign of the level."""
        low = np.zeros(len(params))
        high = np.full(len(params), 1.05 * self.size)
        for _ in range(48):
            middle = 0.5 * (low + high)
            inside = self.level(params * middle[:, None]) < 0
            low = np.where(inside, middle, low)
            high = np.where(inside, high, middle)
        return params * low[:, None]

    def samples(self):
        if not hasattr(self, "_samples"):
            self._samples = self.at(self.params())
        return self._samples

    def is_far(self):
        return not math.isfinite(self.size)

    def mass_properties(self, density):
        """Mass, centre and inertia about it, of star-shaped solids by quadrature over rays: good to a few per cent, which is all that is
        needed, since scenes state the result as given. Rounded, because the last digits of a sum depend on where an array lies in memory."""
        directions = fibonacci_sphere(2000)
        r = np.linalg.norm(self.at(directions), axis=1)
        w = 4 * math.pi / len(r) * density
        mass = w * np.sum(r**3) / 3
        centre = w * np.sum(directions * (r**4)[:, None], axis=0) / 4 / mass
        second = w * np.einsum("n,ni,nj->ij", r**5 / 5, directions, directions)
        second -= mass * np.outer(centre, centre)
        second, moment = second / np.trace(second), float(f"{np.trace(second):.6g}")
        centre = np.round(centre / self.size, 6) * self.size
        return float(f"{mass:.6g}"), centre, np.round(np.eye(3) - second, 6) * moment


class Plane(Shape):
    size = math.inf
    flats = True

    def toml(self):
        return 'type = "plane"'

    def level(self, p):
        return p[:, 2].copy()

    distance = level


class Ellipsoid(Shape):
    """Also spheres and, as a quadric or as a cavity, the same surface written differently."""

    def __init__(self, axes, cavity=False, form="ellipsoid"):
        self.axes = np.array(axes, float)
        self.cavity = cavity
        self.form = form
        self.size = math.inf if cavity else float(max(axes))
        self.convex = not cavity
        self.thickness = 2 * float(min(axes))

    def toml(self):
        end = ", cavity = true" if self.cavity else ""
        if self.form == "sphere":
            return f'type = "sphere", radius = {number(self.axes[0])}{end}'
        if self.form == "quadric":
            return f'type = "quadric", Q = {vector(1 / self.axes**2)}, c = -1.0'
        if self.form == "implicit":
            a, b, c = (number(x) for x in self.axes)
            box = rows([-1.05 * self.axes, 1.05 * self.axes])
            return f'type = "implicit", f = "(x/{a})^2 + (y/{b})^2 + (z/{c})^2 - 1", box = {box}'
        return f'type = "ellipsoid", semi_axes = {vector(self.axes)}{end}'

    def level(self, p):
        if np.all(self.axes == self.axes[0]):
            d = np.linalg.norm(p, axis=1) - self.axes[0]
        else:
            q = p / self.axes
            s = np.linalg.norm(q, axis=1)
            slope = np.linalg.norm(q / self.axes, axis=1) / np.maximum(s, 1e-300)
            d = (s - 1) / np.maximum(slope, 1e-300)
        return -d if self.cavity else d

    distance = level

    def at(self, params):
        """The affine image of the unit sphere, which spreads points better over flat ellipsoids than rays do."""
        return params * self.axes

    def mass_properties(self, density):
        a, b, c = self.axes
        m = density * 4 / 3 * math.pi * a * b * c
        return m, np.zeros(3), m / 5 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])


def sphere(radius, cavity=False):
    return Ellipsoid([radius] * 3, cavity, "sphere")


class Superellipsoid(Shape):
    def __init__(self, axes, p, q, cavity=False):
        self.axes = np.array(axes, float)
        self.p, self.q, self.cavity = p, q, cavity
        self.size = math.inf if cavity else float(np.linalg.norm(axes))
        self.convex = not cavity
        self.flats = True  # curvature vanishes along lines
        self.thickness = 2 * float(min(axes))

    def toml(self):
        end = ", cavity = true" if self.cavity else ""
        return f'type = "superellipsoid", semi_axes = {vector(self.axes)}, exponents = {vector([self.p, self.q])}{end}'

    def gauge(self, p):
        x, y, z = (np.abs(p / self.axes)).T
        return ((x**self.p + y**self.p) ** (self.q / self.p) + z**self.q) ** (1 / self.q)

    def level(self, p):
        d = (self.gauge(p) - 1) * float(min(self.axes))
        return -d if self.cavity else d

    def at(self, params):
        stretched = params * self.axes
        return stretched / self.gauge(stretched)[:, None]


class Torus(Shape):
    convex = False

    def __init__(self, major, minor):
        self.major, self.minor = major, minor
        self.size = major + minor
        self.thickness = 2 * minor

    def toml(self):
        return f'type = "torus", major_radius = {number(self.major)}, minor_radius = {number(self.minor)}'

    def level(self, p):
        return np.hypot(np.hypot(p[:, 0], p[:, 1]) - self.major, p[:, 2]) - self.minor

    distance = level

    def params(self):
        u = np.arange(36) * (2 * math.pi / 36)
        v = np.arange(12) * (2 * math.pi / 12)
        return np.array([(a, b) for a in u for b in v])

    def spacing(self):
        return 2 * math.pi / 12

    def around(self, params, steps):
        return params[:, None, :] + steps

    def at(self, params):
        u, v = params.T
        rho = self.major + self.minor * np.cos(v)
        return np.stack([rho * np.cos(u), rho * np.sin(u), self.minor * np.sin(v)], axis=1)

    def mass_properties(self, density):
        R, r = self.major, self.minor
        m = density * 2 * math.pi**2 * R * r * r
        side = m * (R * R / 2 + 5 / 8 * r * r)
        return m, np.zeros(3), np.diag([side, side, m * (R * R + 3 / 4 * r * r)])


class Revolution(Shape):
    """The cubic Bezier curve (0, -h) (a, -h) (b, k) (0, k), revolved: an egg, smooth at both poles."""

    def __init__(self, a, b, h, k):
        self.a, self.b, self.h, self.k = a, b, h, k
        self.size = float(np.hypot(max(a, b), max(h, k)))
        self.thickness = min(a, b, h, k)
        self.convex = True

    def toml(self):
        points = [[0, -self.h], [self.a, -self.h], [self.b, self.k], [0, self.k]]
        return f'type = "revolution", profile = {{ points = {rows(points)}, degree = 3 }}'

    def profile(self, t):
        s = 1 - t
        return 3 * s * s * t * self.a + 3 * s * t * t * self.b

    def level(self, p):
        # z(t) = -h + (h + k) t^2 (3 - 2 t): t by the sine form of the cubic's root
        c = np.clip((p[:, 2] + self.h) / (self.h + self.k), 0, 1)
        t = 0.5 - np.sin(np.arcsin(1 - 2 * c) / 3)
        # Beyond the poles the square of the profile is continued along its tangent.
        above, below = np.maximum(p[:, 2] - self.k, 0), np.maximum(-self.h - p[:, 2], 0)
        beyond = 3 / (self.h + self.k) * (self.b**2 * above + self.a**2 * below)
        return (p[:, 0] ** 2 + p[:, 1] ** 2 - self.profile(t) ** 2 + beyond) / self.size

    def params(self):
        """Points of the sphere: the height stands for t, the longitude for itself."""
        return DIRECTIONS

    def at(self, params):
        t = 0.5 * (1 + params[:, 2])
        rho = np.maximum(np.hypot(params[:, 0], params[:, 1]), 1e-300)
        r = self.profile(t) / rho
        return np.stack([r * params[:, 0], r * params[:, 1], -self.h + (self.h + self.k) * t * t * (3 - 2 * t)], axis=1)

    def mass_properties(self, density):
        r = 0.45 * (self.a + self.b)
        m, _, inertia = Ellipsoid([r, r, 0.5 * (self.h + self.k)]).mass_properties(density)
        return m, np.array([0, 0, 0.5 * (self.k - self.h)]), inertia


class Box(Shape):
    smooth = False
    flats = True

    def __init__(self, size):
        self.half = np.array(size, float) / 2
        self.size = float(np.linalg.norm(self.half))
        self.thickness = 2 * float(min(self.half))

    def toml(self):
        return f'type = "box", size = {vector(2 * self.half)}'

    def level(self, p):
        q = np.abs(p) - self.half
        return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(np.max(q, axis=1), 0)

    distance = level

    def params(self):
        n = 8
        g = np.linspace(-1, 1, n)
        out = []
        for k in range(3):
            for s in (-1, 1):
                for a in g:
                    for b in g:
                        x = np.zeros(3)
                        x[k] = s
                        x[(k + 1) % 3], x[(k + 2) % 3] = a, b
                        out.append(x)
        return np.unique(np.array(out), axis=0)

    def spacing(self):
        return 2.0 / 7

    def around(self, params, steps):
        """Around points of the cube [-1, 1]^3, in the face on which each lies; beyond its border, round the edge."""
        k = np.argmax(np.abs(params), axis=1)
        out = np.repeat(params[:, None, :], steps.shape[1], axis=1)
        rows = np.arange(len(params))
        for i in (0, 1):
            axis = (k + 1 + i) % 3
            moved = out[rows, :, axis] + steps[:, :, i]
            over = np.maximum(np.abs(moved) - 1, 0)
            out[rows, :, axis] = np.clip(moved, -1, 1)
            out[rows, :, k] -= np.sign(params[rows, k])[:, None] * over
        return np.clip(out, -1, 1)

    def at(self, params):
        return params * self.half

    def mass_properties(self, density):
        a, b, c = 2 * self.half
        m = density * a * b * c
        return m, np.zeros(3), m / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])


class Polyhedron(Shape):
    """The convex hull of a few points, its faces found by trying every three of them."""

    smooth = False
    flats = True

    def __init__(self, points):
        self.points = np.array(points, float)
        self.size = float(np.max(np.linalg.norm(self.points, axis=1)))
        planes = []
        n = len(self.points)
        for i in range(n):
            for j in range(i + 1, n):
                for k in range(j + 1, n):
                    a, b, c = self.points[[i, j, k]]
                    normal = np.cross(b - a, c - a)
                    length = np.linalg.norm(normal)
                    if length < 1e-9 * self.size**2:
                        continue
                    normal /= length
                    heights = (self.points - a) @ normal
                    if np.max(heights) < 1e-9 * self.size:
                        planes.append((*normal, normal @ a))
                    elif np.min(heights) > -1e-9 * self.size:
                        planes.append((*-normal, -normal @ a))
        self.planes = np.array(planes)
        self.thickness = 2 * float(np.min(self.planes[:, 3]))

    def toml(self):
        return f'type = "polyhedron", points = {rows(self.points)}'

    def level(self, p):
        return np.max(p @ self.planes[:, :3].T - self.planes[:, 3], axis=1)

    distance = level

    def mirrored(self):
        return Polyhedron(self.points * [-1, 1, 1])

    def params(self):
        corners = self.points / np.linalg.norm(self.points, axis=1, keepdims=True)
        middles = [a + b for i, a in enumerate(corners) for b in corners[:i] if np.linalg.norm(a + b) > 0.1]
        middles = np.array(middles) / np.linalg.norm(middles, axis=1, keepdims=True)
        return np.concatenate([DIRECTIONS, corners, middles])

    def at(self, params):
        rates = params @ self.planes[:, :3].T / self.planes[:, 3]
        return params / np.max(rates, axis=1)[:, None]


class Lathe(Shape):
    """A solid about z with rims. Parameters: the angle, and the way along the profile, with rims at 1, 2, ... of the pieces."""

    smooth = False
    flats = True

    def profile(self, way):
        """Distance from the axis, and z."""
        raise NotImplementedError

    def params(self):
        way = np.concatenate([k + np.linspace(0.2, 1, 5) for k in range(self.pieces)])[:-1]
        return np.array([(a, w) for a in np.arange(28) * (2 * math.pi / 28) for w in way])

    def spacing(self):
        return 0.25

    def around(self, params, steps):
        """A step across a rim ends on it, so that searches can follow rims."""
        out = params[:, None, :] + steps
        piece = np.floor(np.minimum(params[:, 1], self.pieces - 1e-3))
        on_rim = (params[:, 1] == piece) & (piece > 0)
        low, high = np.where(on_rim, piece - 1, piece), piece + 1
        out[:, :, 1] = np.clip(out[:, :, 1], low[:, None], high[:, None])
        return out

    def at(self, params):
        rho, z = self.profile(params[:, 1])
        return np.stack([rho * np.cos(params[:, 0]), rho * np.sin(params[:, 0]), z], axis=1)


class Frustum(Lathe):
    """A can or a cone with its end cut off, as the hull of two circles about z."""

    def __init__(self, r1, r2, height):
        self.r1, self.r2, self.h = r1, r2, height / 2
        self.size = float(np.hypot(max(r1, r2), self.h))
        self.thickness = min(2 * min(r1, r2), height)

    def toml(self):
        c = [0, 0, -self.h], [0, 0, self.h]
        return (f'type = "two_circles", radius_1 = {number(self.r1)}, centre_1 = {vector(c[0])}, '
                f"radius_2 = {number(self.r2)}, centre_2 = {vector(c[1])}")

    def level(self, p):
        rho, z = np.hypot(p[:, 0], p[:, 1]), p[:, 2]
        slope = (self.r2 - self.r1) / (2 * self.h)
        side = (rho - self.r1 - slope * (z + self.h)) / math.hypot(1, slope)
        return np.maximum(side, np.abs(z) - self.h)

    distance = level

    pieces = 3  # bottom, side, top

    def profile(self, way):
        z = np.interp(way, [0, 1, 2, 3], [-self.h, -self.h, self.h, self.h])
        return np.interp(way, [0, 1, 2, 3], [0, self.r1, self.r2, 0]), z

    def mass_properties(self, density):
        r, h = 0.5 * (self.r1 + self.r2), 2 * self.h
        m = density * math.pi * r * r * h
        side = m * (3 * r * r + h * h) / 12
        return m, np.zeros(3), np.diag([side, side, m * r * r / 2])


class Hull(Shape):
    """The convex hull of two circles, by its support function: an oloid, or a two-circle roller."""

    smooth = False
    flats = True

    def __init__(self, radius, distance):
        self.radius, self.apart = radius, distance
        self.size = radius + distance / 2
        self.thickness = radius

    def toml(self):
        return f'type = "oloid", radius = {number(self.radius)}, distance = {number(self.apart)}'

    def mirrored(self):
        return self

    def planes(self, tau, side):
        """Planes that touch both circles, n.p = n.a: with (n_x, n_y) a unit vector, circle 1 is touched at a = c1 + r (n_x, n_y), and
        circle 2 as well if hypot(n_y, n_z) = 1 - n_y d / r. Returns unit normals, and the heights n.a."""
        t = self.widest() * np.sin(tau)
        ny, nx = -np.cos(t), np.sin(t)
        h = 1 - ny * self.apart / self.radius
        nz = side * np.sqrt(np.maximum(h * h - ny * ny, 0))
        length = np.sqrt(1 + nz * nz)
        return np.stack([nx, ny, nz], axis=-1) / length[..., None], (self.radius - ny * self.apart / 2) / length

    def level(self, p):
        """The hull is what lies below all these planes: the greatest height above one of them, from a grid, then around the best."""
        grid = np.linspace(-math.pi / 2, math.pi / 2, 161)
        best = np.full(len(p), -np.inf)
        for side in (-1.0, 1.0):
            n, height = self.planes(grid, side)
            tau, width = grid[np.argmax(p @ n.T - height, axis=1)], math.pi / 160
            for _ in range(6):
                trial = np.clip(tau[:, None] + width * np.linspace(-1, 1, 7), -math.pi / 2, math.pi / 2)
                n, height = self.planes(trial, side)
                values = np.einsum("mnk,mk->mn", n, p) - height
                k = np.argmax(values, axis=1)
                tau, best = trial[np.arange(len(p)), k], np.maximum(best, values[np.arange(len(p)), k])
                width /= 3
        return best

    distance = level

    def widest(self):
        """The ruled surface joins points of the first circle up to this angle with points of the second."""
        return math.acos(-1 / (1 + self.apart / self.radius))

    def params(self):
        t = np.linspace(-self.widest(), self.widest(), 25)
        return np.array([(a, s, side) for a in t for s in np.linspace(0, 1, 9) for side in (-1, 1)])

    def spacing(self):
        return 0.16

    def around(self, params, steps):
        out = np.repeat(params[:, None, :], steps.shape[1], axis=1)
        out[:, :, :2] += steps
        return out

    def at(self, params):
        """A tangent plane with normal n, (n_x, n_y) a unit vector, touches circle 1 at c1 + r (n_x, n_y); it touches circle 2 as well if
        hypot(n_y, n_z) = 1 - n_y d / r. The segment between both points lies on the hull."""
        t = np.clip(params[:, 0], -self.widest(), self.widest())
        s = np.clip(params[:, 1], 0, 1)
        nx, ny = np.sin(t), -np.cos(t)
        r, d = self.radius, self.apart
        h = 1 - ny * d / r
        nz = params[:, 2] * np.sqrt(np.maximum(h * h - ny * ny, 0))
        a = np.stack([r * nx, -d / 2 + r * ny, 0 * t], axis=1)
        b = np.stack([0 * t, d / 2 + r * ny / h, r * nz / h], axis=1)
        return a + s[:, None] * (b - a)

    def mass_properties(self, density):
        r = 0.8 * self.radius
        return Ellipsoid([r, self.size * 0.9, r]).mass_properties(density)


class Sphericon(Shape):
    smooth = False
    flats = True

    def __init__(self, radius):
        self.size = radius
        self.thickness = radius

    def toml(self):
        return f'type = "sphericon", radius = {number(self.size)}'

    def gauge(self, p):
        x, y, z = p.T
        left = np.abs(z) + np.hypot(x, y)
        right = np.abs(y) + np.hypot(x, z)
        return np.where(x < 0, left, right)

    def level(self, p):
        return (self.gauge(p) - self.size) / math.sqrt(2)

    distance = level

    # Parameters: the angle along a semicircle, the way to it from an apex (1: the edge), which of the four half cones.
    def params(self):
        angles = np.linspace(-math.pi / 2, math.pi / 2, 15)
        return np.array([(a, w, k) for a in angles for w in np.linspace(0.15, 1, 7) for k in range(4)])

    def spacing(self):
        return 0.2

    def around(self, params, steps):
        out = np.repeat(params[:, None, :], steps.shape[1], axis=1)
        out[:, :, 0] = np.clip(out[:, :, 0] + steps[:, :, 0], -math.pi / 2, math.pi / 2)
        out[:, :, 1] = np.clip(out[:, :, 1] + steps[:, :, 1], 0, 1)
        return out

    def at(self, params):
        a, way, k = params.T
        end = np.where(k % 2 == 0, 1.0, -1.0) * (1 - way)
        x, across = way * np.cos(a), way * np.sin(a)
        left = np.stack([-x, across, end], axis=1)
        right = np.stack([x, end, across], axis=1)
        return self.size * np.where(k[:, None] < 2, left, right)

    def mass_properties(self, density):
        return Ellipsoid([0.7 * self.size] * 3).mass_properties(density)

    mirror_axis = 1  # it is its own image through y, not through x


class Metaballs(Shape):
    """Two bumps: a peanut if they are far apart."""

    convex = False

    def __init__(self, apart, radius, weights=(1.0, 1.0)):
        self.apart, self.radius, self.weights = apart, radius, weights
        self.size = apart + radius
        self.thickness = 0.4 * radius

    def toml(self):
        balls = ", ".join(f"{{ centre = {vector([s * self.apart, 0, 0])}, radius = {number(self.radius)}, weight = {number(w)} }}"
                          for s, w in zip((-1, 1), self.weights))
        return f'type = "metaballs", ball = [{balls}]'

    def field(self, p):
        total = np.full(len(p), 0.5)
        for s, w in zip((-1, 1), self.weights):
            q = np.sum((p - [s * self.apart, 0, 0]) ** 2, axis=1) / self.radius**2
            total -= w * np.maximum(1 - q, 0) ** 4
        return total

    def level(self, p):
        return self.field(p) * self.radius

    def mirrored(self):
        return Metaballs(self.apart, self.radius, self.weights[::-1])


class Dumbbell(Shape):
    """Two balls without a rod, one formula."""

    convex = False

    def __init__(self, apart, radius):
        self.apart, self.radius = apart, radius
        self.size = apart + radius
        self.thickness = 2 * radius

    def toml(self):
        d, r = number(self.apart), number(self.radius)
        b = [1.1 * self.size, 1.5 * self.radius, 1.5 * self.radius]
        return (f'type = "implicit", f = "((x-{d})^2 + y^2 + z^2 - {r}^2) * ((x+{d})^2 + y^2 + z^2 - {r}^2)", '
                f"box = {rows([[-x for x in b], b])}")

    def level(self, p):
        d = [self.apart, 0, 0]
        return np.minimum(np.linalg.norm(p - d, axis=1), np.linalg.norm(p + d, axis=1)) - self.radius

    distance = level

    def params(self):
        return np.concatenate([np.pad(DIRECTIONS[::2], ((0, 0), (0, 1)), constant_values=s) for s in (-1, 1)])

    def around(self, params, steps):
        out = super().around(params[:, :3], steps)
        return np.concatenate([out, np.repeat(params[:, None, 3:], steps.shape[1], axis=1)], axis=2)

    def at(self, params):
        return params[:, :3] * self.radius + params[:, 3:] * np.array([self.apart, 0, 0])

    def mass_properties(self, density):
        m = density * 4 / 3 * math.pi * self.radius**3
        own = 0.4 * m * self.radius**2
        side = own + m * self.apart**2
        return 2 * m, np.zeros(3), 2 * np.diag([own, side, side])


class Quartic(Shape):
    """x^2/a^2 + (y/b)^4 + (y/b)^2 + z^2/c^2 = 1: convex, smooth, without poles."""

    def __init__(self, a, b, c):
        self.axes = np.array([a, b, c], float)
        self.size = float(max(self.axes))
        self.thickness = float(min(self.axes))

    def toml(self):
        a, b, c = (number(x) for x in self.axes)
        box = rows([-1.1 * self.axes, 1.1 * self.axes])
        return f'type = "implicit", f = "(x/{a})^2 + (y/{b})^4 + (y/{b})^2 + (z/{c})^2 - 1", box = {box}'

    def level(self, p):
        x, y, z = (p / self.axes).T
        return (x * x + y**4 + y * y + z * z - 1) * self.thickness / 2

    def at(self, params):
        x, y, z = (params / self.axes).T
        square, fourth = x * x + y * y + z * z, y**4
        s = 2 / (square + np.sqrt(square * square + 4 * fourth))
        return params * np.sqrt(s)[:, None]


class CutBall(Lathe):
    """A ball with a slice off: a list of formulas, with an edge."""

    def __init__(self, radius, cut):
        self.radius, self.cut = radius, cut
        self.size = radius
        self.thickness = radius

    def toml(self):
        r, c = number(self.radius), number(self.cut)
        b = 1.05 * self.radius
        return f'type = "implicit", f = ["x^2 + y^2 + z^2 - {r}^2", "z - {c}"], box = {rows([[-b] * 3, [b] * 3])}'

    def level(self, p):
        return np.maximum(np.linalg.norm(p, axis=1) - self.radius, p[:, 2] - self.cut)

    distance = level

    pieces = 2  # the flat face, the ball

    def profile(self, way):
        start = math.acos(self.cut / self.radius)
        angle = start + (math.pi - start) * np.maximum(way - 1, 0)
        flat = way < 1
        rho = np.where(flat, way * self.radius * math.sin(start), self.radius * np.sin(angle))
        return rho, np.where(flat, self.cut, self.radius * np.cos(angle))

    def mass_properties(self, density):
        return sphere(0.9 * self.radius).mass_properties(density)


class Pillow(Shape):
    """Two Bezier patches glued along four sharp seams: z between two paraboloids' tents over a square."""

    smooth = False
    flats = True

    def __init__(self, half, height):
        self.half, self.height = half, height
        self.size = half * math.sqrt(2)
        self.thickness = height / 2

    def toml(self):
        def net(signs, h):
            a = self.half
            return "[" + ", ".join(rows([[s * a, t * a, h if s == 0 and t == 0 else 0] for t in (-1, 0, 1)]) for s in signs) + "]"
        return (f'type = "patches", patch = [{{ net = {net((-1, 0, 1), self.height)} }}, '
                f"{{ net = {net((1, 0, -1), -self.height)} }}]")

    def level(self, p):
        # B_1(u) = 2 u (1 - u) with u = (x + a) / 2a is (1 - x^2/a^2) / 2
        x, y = p[:, 0] / self.half, p[:, 1] / self.half
        inner = np.abs(p[:, 2]) - self.height / 4 * np.maximum(1 - x * x, 0) * np.maximum(1 - y * y, 0)
        return np.maximum(inner, np.max(np.abs(p[:, :2]), axis=1) - self.half)

    def at(self, params):
        """Points over the square, above and below, instead of rays."""
        x, y = params[:, 0] * self.half, params[:, 1] * self.half
        z = self.height / 4 * (1 - params[:, 0] ** 2) * (1 - params[:, 1] ** 2)
        return np.stack([x, y, params[:, 2] * z], axis=1)

    def params(self):
        g = np.linspace(-1, 1, 13)
        return np.array([(a, b, s) for a in g for b in g for s in (-1, 1)])

    def spacing(self):
        return 2.0 / 12

    def around(self, params, steps):
        out = np.repeat(params[:, None, :], steps.shape[1], axis=1)
        out[:, :, :2] = np.clip(out[:, :, :2] + steps, -1, 1)
        return out

    def mass_properties(self, density):
        a, h = self.half, self.height / 4
        m = density * 2 * h * (4 / 3 * a) ** 2
        x2 = m * a * a / 5
        z2 = m * h * h * (16 / 15 * 6 / 7 / (4 / 3)) ** 2 / 3
        return m, np.zeros(3), np.diag([x2 + z2, x2 + z2, 2 * x2])


class Subdivision(Shape):
    """The limit surface of a cage under Catmull-Clark: points of it by repeated refinement and the limit mask; no inside test."""

    convex = True
    flats = True

    def __init__(self, scale, stretch):
        self.scale, self.stretch = scale, np.array(stretch, float)
        corners = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        self.cage = np.array(corners, float) * self.stretch
        self.faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
        vertices, faces = self.cage * scale, self.faces
        for _ in range(3):
            vertices, faces = self.refined(vertices, faces)
        self._samples = self.limits(vertices, faces)
        self.size = float(np.max(np.linalg.norm(self._samples, axis=1)))
        self.thickness = float(np.min(np.max(self._samples, axis=0)))

    @staticmethod
    def refined(vertices, faces):
        points = [vertices[f].mean(axis=0) for f in faces]
        edges = {}
        for k, f in enumerate(faces):
            for a, b in zip(f, f[1:] + f[:1]):
                edges.setdefault((min(a, b), max(a, b)), []).append(k)
        n = len(vertices)
        edge_index = {e: n + len(faces) + i for i, e in enumerate(edges)}
        edge_points = [(vertices[a] + vertices[b] + points[k[0]] + points[k[1]]) / 4 for (a, b), k in edges.items()]
        moved = np.zeros_like(vertices)
        valence = np.zeros(n)
        face_sum, edge_sum = np.zeros_like(vertices), np.zeros_like(vertices)
        for k, f in enumerate(faces):
            for a in f:
                face_sum[a] += points[k]
        for a, b in edges:
            middle = (vertices[a] + vertices[b]) / 2
            for v in (a, b):
                edge_sum[v] += middle
                valence[v] += 1
        q, r, w = face_sum / valence[:, None], edge_sum / valence[:, None], valence[:, None]
        moved = (q + 2 * r + (w - 3) * vertices) / w
        new_faces = []
        for k, f in enumerate(faces):
            for i, a in enumerate(f):
                before, after = f[i - 1], f[(i + 1) % len(f)]
                new_faces.append([a, edge_index[(min(a, after), max(a, after))], n + k, edge_index[(min(a, before), max(a, before))]])
        return np.concatenate([moved, np.array(points), np.array(edge_points)]), new_faces

    @staticmethod
    def limits(vertices, faces):
        """(n^2 v + 4 sum of edge neighbours + sum of face neighbours) / (n (n + 5))."""
        total = np.zeros_like(vertices)
        valence = np.zeros(len(vertices))
        for f in faces:
            for i, a in enumerate(f):
                total[a] += 2 * vertices[f[(i + 1) % 4]] + 2 * vertices[f[i - 1]] + vertices[f[(i + 2) % 4]]
                valence[a] += 1
        n = valence[:, None]
        return (n * n * vertices + total) / (n * (n + 5))

    def toml(self):
        return f'type = "subdivision", file = "{self.file_name()}", scale = {number(self.scale)}'

    def file_name(self):
        return "cage_%s.obj" % "_".join(number(x) for x in self.stretch)

    def files(self):
        lines = ["v " + " ".join(number(x) for x in v) for v in self.cage]
        lines += ["f " + " ".join(str(i + 1) for i in f) for f in self.faces]
        return {self.file_name(): "\n".join(lines) + "\n"}

    def level(self, p):
        return None

    def params(self):
        return self._samples

    def around(self, params, steps):
        return np.repeat(params[:, None, :], steps.shape[1], axis=1)

    def at(self, params):
        return params

    def mass_properties(self, density):
        return Ellipsoid(np.max(self._samples, axis=0)).mass_properties(density)


class Cylinder(Shape):
    """About z; endless or, with a length, a tube without end faces."""

    flats = True

    def __init__(self, radius, length=None, cavity=False):
        self.radius, self.length, self.cavity = radius, length, cavity
        self.border = length is not None
        self.size = math.inf if length is None or cavity else math.hypot(radius, length / 2)
        self.convex = not cavity
        self.thickness = 2 * radius

    def toml(self):
        end = f", length = {number(self.length)}" if self.length else ""
        end += ", cavity = true" if self.cavity else ""
        return f'type = "cylinder", radius = {number(self.radius)}{end}'

    def level(self, p):
        d = np.hypot(p[:, 0], p[:, 1]) - self.radius
        if self.cavity:
            d = -d
        if self.length:
            return np.where(np.abs(p[:, 2]) > self.length / 2, np.inf, d)
        return d

    distance = level


class Hills(Shape):
    """Ground z <= h(x, y) over the square |x|, |y| <= a, as a Bezier, NURBS or triangular patch or as a formula."""

    size = math.inf
    convex = False

    def __init__(self, form, half, heights):
        self.form, self.half = form, half
        self.heights = np.array(heights, float)
        self.border = form != "implicit"

    def toml(self):
        a = self.half
        if self.form == "implicit":
            h = self.heights
            f = f"z - {number(h[0, 0])}*sin({number(h[0, 1] / a)}*x)*cos({number(h[1, 0] / a)}*y)"
            return f'type = "implicit", f = "{f}", box = {rows([[-a, -a, -a], [a, a, a]])}, open = true'
        n = len(self.heights) - 1
        x = self.knots_average(n) if self.form == "nurbs" else -a + 2 * a * np.arange(n + 1) / n
        net = "[" + ", ".join(rows([[x[i], x[j], self.heights[i, j]] for j in range(n + 1)]) for i in range(n + 1)) + "]"
        if self.form == "nurbs":
            return f'type = "nurbs", degree = [3, 3], net = {net}'
        return f'type = "bezier", net = {net}'

    def knots(self, n):
        return np.concatenate([np.zeros(4), np.arange(1, n - 2) / (n - 2), np.ones(4)])

    def knots_average(self, n):
        """Greville's abscissae: control points that make x linear in the parameter."""
        k = self.knots(n)
        return -self.half + 2 * self.half * np.array([np.mean(k[i + 1:i + 4]) for i in range(n + 1)])

    def basis(self, u):
        n = len(self.heights) - 1
        u = np.clip(u, 0, 1)
        if self.form == "bezier":
            return np.stack([math.comb(n, i) * u**i * (1 - u) ** (n - i) for i in range(n + 1)], axis=1)
        k = self.knots(n)
        b = [np.where((u >= k[i]) & ((u < k[i + 1]) | ((k[i + 1] == 1) & (k[i] < 1))), 1.0, 0.0) for i in range(len(k) - 1)]
        for d in (1, 2, 3):
            b = [(b[i] * (u - k[i]) / (k[i + d] - k[i]) if k[i + d] > k[i] else 0 * u) +
                 (b[i + 1] * (k[i + d + 1] - u) / (k[i + d + 1] - k[i + 1]) if k[i + d + 1] > k[i + 1] else 0 * u)
                 for i in range(len(b) - 1)]
        return np.stack(b, axis=1)

    def height(self, x, y):
        if self.form == "implicit":
            h = self.heights
            return h[0, 0] * np.sin(h[0, 1] / self.half * x) * np.cos(h[1, 0] / self.half * y)
        bu, bv = self.basis((x + self.half) / (2 * self.half)), self.basis((y + self.half) / (2 * self.half))
        return np.einsum("ni,nj,ij->n", bu, bv, self.heights)

    def level(self, p):
        d = p[:, 2] - self.height(p[:, 0], p[:, 1])
        if self.form == "implicit":
            return d
        return np.where(np.max(np.abs(p[:, :2]), axis=1) > self.half, np.inf, d)

    def mirrored(self):
        if self.form == "implicit":
            return Hills(self.form, self.half, self.heights * [[-1, 1], [1, 1]])
        return Hills(self.form, self.half, self.heights[::-1])
