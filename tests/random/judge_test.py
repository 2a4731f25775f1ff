#!/usr/bin/env python3
"""The judge is tested by sabotage: records of good runs are damaged, and it must notice. judge_test.py PROGRAM"""

import copy
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np

import judge
import run
import scenes
import shapes as sh

PROGRAM = "oloid"


def ball(name, **rest):
    return scenes.heavy(scenes.Rng(1), name, sh.sphere(0.1), **rest)


def falling(velocity=(0.3, 0, 0)):
    """A ball that falls on a plane, bounces and flies on."""
    ground = scenes.Body("ground", sh.Plane(), fixed=True)
    body = ball("a", position=np.array([0, 0, 0.5]), velocity=np.array(velocity, float), spin=np.array([1.0, 2, 3]))
    return scenes.Scene(0, "single", 0.5, 9.81, [ground, body], {"friction": 0.3, "restitution": 0.7})


class Shapes(unittest.TestCase):
    def shapes(self):
        return [sh.sphere(0.7), sh.Ellipsoid([1, 0.5, 0.2]), sh.Superellipsoid([1, 0.5, 0.3], 3, 4), sh.Torus(1, 0.3), sh.Revolution(0.8, 0.7, 0.6, 0.5),
                sh.Quartic(1, 0.6, 0.4), sh.Metaballs(0.3, 1), sh.Dumbbell(0.7, 0.3), sh.Frustum(0.5, 0.3, 0.8), sh.CutBall(1, 0.3), sh.Pillow(0.7, 0.8),
                sh.Sphericon(1.0), sh.Polyhedron([[1, 0, 0], [-1, 0.2, 0], [0, 1, 0], [0, -1, -0.1], [0, 0, 1], [0.1, 0, -1]]), sh.Box([1, 2, 0.3]),
                sh.Hull(1, 1), sh.Hull(1, 2**0.5)]

    def test_samples_lie_on_the_surface(self):
        for shape in self.shapes():
            off = np.max(np.abs(shape.distance(shape.samples())))
            self.assertLess(off, 1e-9, type(shape).__name__)
            self.assertLessEqual(np.max(np.linalg.norm(shape.samples(), axis=1)), shape.size * (1 + 1e-12), type(shape).__name__)

    def test_distance_is_one_to_first_order(self):
        """A step of 1e-5 along the gradient raises the distance by as much."""
        for shape in (s for s in self.shapes() if s.smooth):
            p, h = shape.samples(), 1e-6
            slope = np.stack([(shape.level(p + h * e) - shape.level(p - h * e)) / (2 * h) for e in np.eye(3)], axis=1)
            q = p + 1e-5 * slope / np.linalg.norm(slope, axis=1, keepdims=True)
            self.assertLess(np.max(np.abs(shape.distance(q) - 1e-5)), 3e-8, type(shape).__name__)

    def test_mirror_images(self):
        rng = np.random.default_rng(0)
        for shape in self.shapes():
            flip = np.ones(3)
            flip[getattr(shape, "mirror_axis", 0)] = -1
            p = rng.normal(size=(50, 3))
            np.testing.assert_allclose(shape.mirrored().level(p * flip), shape.level(p), atol=1e-9)

    def test_lowest_finds_the_gap_between_balls(self):
        a, b = sh.Ellipsoid([0.3, 0.2, 0.1]), sh.sphere(0.5)
        values, _ = judge.lowest(a, b, np.eye(3)[None], np.array([[0.81, 0, 0]]), 2)
        self.assertAlmostEqual(values[0, 0], 0.01, delta=1e-12)
        values, _ = judge.lowest(a, b, np.eye(3)[None], np.array([[0.7999, 0, 0]]), 2)
        self.assertAlmostEqual(values[0, 0], -1e-4, delta=1e-10)


class Generator(unittest.TestCase):
    def test_a_seed_gives_one_scene(self):
        for seed in range(14):
            self.assertEqual(scenes.scene(seed).toml(), scenes.scene(seed).toml())

    def test_turned_and_mirrored_twice_is_the_same(self):
        for seed in range(14):
            scene = scenes.scene(seed)
            for again in (scene.mirrored().mirrored(), scene.turned(0.7).turned(-0.7)):
                for b, c in zip(scene.bodies, again.bodies):
                    np.testing.assert_allclose(b.position, c.position, atol=1e-12)
                    np.testing.assert_allclose(scenes.matrix(b.quaternion), scenes.matrix(c.quaternion), atol=1e-12)


class Sabotage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scene = falling()
        with tempfile.TemporaryDirectory() as folder:
            cls.code, errors, cls.record, _ = run.execute(PROGRAM, cls.scene, folder)
        assert cls.record is not None, errors

    def kinds(self, damage=lambda record: None, scene=None, code=None):
        record = copy.deepcopy(self.record)
        damage(record)
        with np.errstate(all="ignore"):
            found = judge.Judge(scene or self.scene, record, self.code if code is None else code).complaints()
        return {kind for kind, _ in found}

    def body(self, record):
        return record.bodies["a"]

    def test_a_good_run_is_good(self):
        self.assertEqual(self.code, 0)
        self.assertEqual(self.kinds(), set())

    def test_nan(self):
        def damage(record):
            self.body(record)["velocity"][3, 1] = np.nan
        self.assertIn("nan", self.kinds(damage))

    def test_velocity(self):
        def damage(record):
            self.body(record)["velocity"][3, 0] += 1e-5
        self.assertIn("flight", self.kinds(damage))

    def test_spin(self):
        def damage(record):
            self.body(record)["angular_velocity"][3:] *= 1 + 1e-5
        self.assertTrue({"flight", "energy"} <= self.kinds(damage))

    def test_energy(self):
        def damage(record):
            record.energy[5:, 2] += 1e-5
        self.assertIn("energy", self.kinds(damage))

    def test_dissipation_falls(self):
        def damage(record):
            record.energy[30:, 2] -= 1e-4
            record.energy[30:, 3] -= 1e-4
        self.assertIn("energy", self.kinds(damage))

    def test_overlap(self):
        def damage(record):
            self.body(record)["position"][:, 2] -= 1e-6
            record.event_bodies["position"][record.event_bodies["body"] == record.names.index("a"), 2] -= 1e-6
        self.assertIn("overlap", self.kinds(damage))

    def test_impact(self):
        def damage(record):
            after = np.flatnonzero(record.event_bodies["side"] == 1)
            record.event_bodies["velocity"][after, 0] += 1e-4
        self.assertIn("impact", self.kinds(damage))

    def test_friction_beyond_its_limit(self):
        scene = copy.deepcopy(self.scene)
        scene.law["friction"] = 0.001
        self.assertIn("impact", self.kinds(scene=scene))

    def test_exit_code(self):
        self.assertIn("exit", self.kinds(code=4))

        def damage(record):
            self.body(record)["ended"][-1] = 1
        self.assertIn("exit", self.kinds(damage))

    def test_reason(self):
        """The first bounce is told as the end of a body at an edge, which a ball does not have."""
        def damage(record):
            hit = record.events["kind"] == b"impact"
            record.events["kind"][hit] = b"unsupported_contact"
            record.events["feature_a"][hit] = [1, 0]
            self.body(record)["ended"][-1] = 1
        self.assertIn("reason", self.kinds(damage, code=4))

    def test_copies(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind in run.COPIES:
                self.assertEqual(run.compare_copy(PROGRAM, self.scene, self.record, kind, folder)[0], [])
        damaged = copy.deepcopy(self.record)
        self.body(damaged)["position"][-1, 0] += 1e-7
        times, deviation = judge.compare(self.scene, self.record, damaged, np.eye(3), False)
        self.assertEqual(np.flatnonzero(deviation > run.SAME).tolist(), [len(times) - 1])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
