"""MJCF files compared with MuJoCo: mass matrix and accelerations at random states, of a file and of random trees.

Runs where MuJoCo is installed (PyPI: mujoco). Its constraints are soft, so that only trees are compared.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

PROGRAM = os.environ.get("VISVIVA_PROGRAM", "build/visviva")
HERE = pathlib.Path(__file__).parent
SEED = 20261118
TREES = 12
ROUNDING = 1e-12  # of both, for sums of terms of size 1
SINGLE = 1e-6  # where MuJoCo rounds turned corners of meshes to single precision


BODY = '<body name="b1" pos="0 0 1"><joint name="q1" axis="0 1 0"/><geom type="box" size=".1 .2 .3" pos=".1 0 .2"/>{}</body>'
# What a reader of these files easily drops without a word.
EASILY_DROPPED = {
    "sections that stand twice": '<compiler angle="radian"/><compiler eulerseq="zyx"/><option gravity="0 1 -5"/><option timestep="0.01"/>'
        '<default><geom density="500"/></default><default><joint damping="0.2"/></default>'
        f'<worldbody>{BODY.format("")}</worldbody><worldbody><body name="b2" pos="1 0 0" euler="0.1 0.2 0.3"><joint name="q2" axis="1 0 0"/>'
        '<geom size=".1" pos="0 .2 0"/></body></worldbody>',
    "frames": '<worldbody><frame pos="1 0 0" euler="10 20 30">'
        + BODY.format('<frame pos="0 .3 0"><geom size=".1"/></frame>') + '</frame></worldbody>',
    "a damper of a free joint": '<default><joint damping="0.5"/></default><worldbody><body name="b1" pos="0 0 1"><joint name="j1" type="free"/>'
        '<geom type="box" size=".1 .2 .3" pos="0.1 0 0"/></body></worldbody>',
    "none of a freejoint": '<default><joint damping="0.5" armature="0.1"/></default><worldbody><body name="b1"><freejoint name="j1"/>'
        '<geom type="box" size=".1 .2 .3" pos="0.1 0 0"/></body></worldbody>',
    "groups that weigh nothing": '<compiler inertiagrouprange="0 1"/><worldbody>' + BODY.format('<geom size=".2" group="3" pos=".5 0 0"/>')
        + '</worldbody>',
    "flags": '<option><flag gravity="disable" spring="disable" damper="disable"/></option><default><joint damping="1" stiffness="3"/></default><worldbody>'
        + BODY.format('<body name="b2" pos="0 0 1"><joint name="q2" axis="1 1 0"/><geom size=".1" pos=".2 .1 0"/></body>') + '</worldbody>',
    "replicas, of replicas too": '<compiler eulerseq="zyx"/><worldbody><replicate count="3" offset="0.5 0.1 0" euler="10 20 30"><body name="b" '
        'pos="0 0 1"><joint name="q" axis="0 1 0"/><replicate count="12" sep="-" offset="0 0.1 0"><geom name="g" size=".1" pos=".1 0 0"/></replicate>'
        '<frame pos="0.1 0.2 0.3" euler="30 20 10"><joint name="p" axis="1 0 0" pos="0 0 .1"/></frame></body></replicate></worldbody>',
    "masses changed afterwards": '<compiler balanceinertia="true" boundmass="0.5" settotalmass="7"/><worldbody>'
        + BODY.format('<body name="b2" pos="0 0 1"><inertial pos=".1 .2 .3" quat="1 2 3 4" mass="0.1" diaginertia="1 2 4"/>'
                      '<joint name="q2" axis="1 1 0"/></body>') + '</worldbody>',
    "classes in classes": '<default><joint damping="0.1"/><geom density="100"/><default class="A"><joint axis="1 0 0"/><geom type="capsule" '
        'size="0.05 0.2"/><default class="B"><joint armature="0.3"/><geom density="700"/></default></default></default><worldbody>'
        '<body name="b1" childclass="A"><joint name="q1"/><geom pos="0 .1 0"/><body name="b2" pos="0 0 .5"><joint name="q2" class="B"/>'
        '<geom class="B" pos="0 .1 .1"/></body></body></worldbody>',
}


def write_mesh(random):
    """An L of random size as corners and faces: closed, and not convex."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    n = len(outline)
    a, b, c = random.integers(3, 12, 3) / 32  # MuJoCo keeps corners in single precision, which these have exactly
    corners = [(a * x, b * y, z) for z in (0, c) for x, y in outline]
    faces = [(k + 2, k + 1, 0) for k in range(n - 2)] + [(n, n + k + 1, n + k + 2) for k in range(n - 2)]
    faces += [side for i in range(n) for j in [(i + 1) % n] for side in ((i, j, j + n), (i, j + n, i + n))]
    return corners, faces


class RandomTree:
    """A random MJCF text: all ways to turn a body, all solids, free and ball joints, several joints a body."""

    def __init__(self, random):
        self.random, self.bodies, self.joints = random, 0, 0
        self.text = f'<mujoco model="tree"><worldbody>{self.body(3, True)}{self.body(2, True)}</worldbody></mujoco>'

    def numbers(self, count, size=1.0):
        return " ".join(repr(float(x)) for x in self.random.uniform(-size, size, count))

    def rotation(self):
        return str(self.random.choice([
            "", f'quat="{self.numbers(4)}"', f'euler="{self.numbers(3, 90)}"', f'axisangle="{self.numbers(4)}"',
            f'zaxis="{self.numbers(3)}"', f'xyaxes="{self.numbers(6)}"']))

    def geom(self):
        kind = str(self.random.choice(["sphere", "capsule", "cylinder", "ellipsoid", "box"]))
        count = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
        sizes = [repr(float(x)) for x in self.random.uniform(0.05, 0.3, count)]
        if count == 2 and self.random.random() < 0.4:
            return f'<geom type="{kind}" size="{sizes[0]}" fromto="{self.numbers(6)}"/>'
        weight = self.random.choice(["", 'mass="2"', 'density="300"'])
        return f'<geom type="{kind}" size="{" ".join(sizes)}" pos="{self.numbers(3)}" {self.rotation()} {weight}/>'

    def joint(self):
        self.joints += 1
        kind = str(self.random.choice(["hinge", "slide", "ball"]))
        place = f'<joint name="j{self.joints}" type="{kind}" pos="{self.numbers(3)}"'
        if kind == "ball":
            return kind, place + "/>"
        loads = " ".join(f'{name}="{self.random.random()}"' for name in ("damping", "stiffness", "armature"))
        return kind, f'{place} axis="{self.numbers(3)}" {loads} ref="{self.numbers(1)}" springref="{self.numbers(1)}"/>'

    def moving(self, is_top):
        if is_top and self.random.random() < 0.5:
            self.joints += 1
            return f'<freejoint name="j{self.joints}"/>'
        text = ""
        for _ in range(self.random.integers(1 if is_top else 0, 3)):
            kind, joint = self.joint()
            text += joint
            if kind == "ball":  # the last one, so that its speeds have the body's name
                break
        return text

    def body(self, depth, is_top=False):
        self.bodies += 1
        head = f'<body name="b{self.bodies}" pos="{self.numbers(3)}" {self.rotation()}>'
        inside = self.moving(is_top) + self.geom()
        for _ in range(self.random.integers(0, 3) if depth else 0):
            inside += self.body(depth - 1)
        return head + inside + "</body>"


class Peer:
    """A model in MuJoCo at a random state, and the settings and speeds that are the same in Visviva."""

    def __init__(self, path, random):
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
        self.data = mujoco.MjData(self.model)
        self.data.qvel[:] = random.uniform(-1, 1, self.model.nv)
        self.settings, self.speeds = {}, []
        for i in range(self.model.njnt):
            self.set_joint(i, random)
        mujoco.mj_forward(self.model, self.data)

    def set_joint(self, i, random):
        name, body = self.model.joint(i).name, self.model.body(self.model.jnt_bodyid[i]).name
        kind, q, u = mujoco.mjtJoint(self.model.jnt_type[i]), self.model.jnt_qposadr[i], self.model.jnt_dofadr[i]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            self.data.qpos[q:q + 3] = random.uniform(-1, 1, 3)
            for k, axis in enumerate("xyz"):
                self.settings[f"{name}_{axis}"] = self.data.qpos[q + k]
                self.add_speed(f"{name}_{axis}'", u + k)
            q, u = q + 3, u + 3
        if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
            quaternion = random.normal(size=4)
            self.data.qpos[q:q + 4] = quaternion / np.linalg.norm(quaternion)
            for k in range(4):
                self.settings[f"{name}_e{k}"] = self.data.qpos[q + k]
            for k, axis in enumerate("xyz"):
                self.add_speed(f"{body}_w{axis}", u + k)
        else:
            self.data.qpos[q] = self.settings[name] = random.uniform(-1, 1)
            self.add_speed(f"{name}'", u)

    def add_speed(self, name, place):
        self.settings[name] = self.data.qvel[place]
        self.speeds.append(name)

    def mass_matrix(self):
        M = np.zeros((self.model.nv, self.model.nv))
        for column, unit in zip(M, np.eye(self.model.nv)):
            mujoco.mj_mulM(self.model, self.data, column, unit)
        return M


@unittest.skipIf(mujoco is None, "MuJoCo is not installed")
class MujocoTest(unittest.TestCase):
    def compare(self, path, random, rounding=ROUNDING):
        peer = Peer(path, random)
        command = [PROGRAM, "evaluate", str(path), "--json"]
        for name, value in peer.settings.items():
            command += ["--set", f"{name}={float(value)!r}"]
        answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        self.assertNotIn("errors", answer)
        order = [answer["independent_speeds"].index(name) for name in peer.speeds]
        M, expected = peer.mass_matrix(), peer.data.qacc
        found = np.array(answer["mass_matrix"])[np.ix_(order, order)]
        self.assertLess(np.max(np.abs(found - M)) / np.max(np.abs(M)), rounding)
        rates = np.array([answer["accelerations"][name] for name in peer.speeds])
        error = np.max(np.abs(M @ (rates - expected))) / np.max(np.abs(M) @ np.abs(expected))
        self.assertLess(error, rounding)

    def test_a_machine_agrees_with_mujoco(self):
        random = np.random.default_rng(SEED)
        for _ in range(3):
            self.compare(HERE / "machine.xml", random)

    def test_what_is_easily_dropped_is_not(self):
        for what, inside in EASILY_DROPPED.items():
            with self.subTest(what), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "model.xml"
                path.write_text(f"<mujoco>{inside}</mujoco>", encoding="utf-8")
                self.compare(path, np.random.default_rng(SEED))

    def test_meshes_weigh_what_they_do_in_mujoco(self):
        for kind in ('', 'inertia="exact"', 'inertia="legacy"', 'inertia="shell"', 'refpos=".1 .2 .3" refquat=".9 .1 .2 .3" scale="-1 2 3"'):
            for in_file in (False, True):
                random = np.random.default_rng(SEED)
                corners, faces = write_mesh(random)
                with self.subTest(kind, in_file=in_file), tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / "model.xml"
                    numbers = [" ".join(repr(float(x)) for x in corner) for corner in corners]
                    inline = f'vertex="{" ".join(numbers)}" face="{" ".join(str(i) for face in faces for i in face)}"'
                    (path.parent / "ell.obj").write_text("".join(f"v {n}\n" for n in numbers) + "".join(
                        f"f {' '.join(str(i + 1) for i in face)}\n" for face in faces), encoding="utf-8")
                    path.write_text(f'<mujoco><asset><mesh name="ell" {kind} {"file=" if in_file else ""}'
                                    f'{chr(34) + "ell.obj" + chr(34) if in_file else inline}/></asset><worldbody><body name="b1" pos="0 0 1">'
                                    '<joint name="q1" axis="0 1 1"/><geom type="mesh" mesh="ell" pos=".1 .2 .3" euler="10 20 30"/>'
                                    '<geom type="mesh" mesh="ell" mass="2"/></body></worldbody></mujoco>', encoding="utf-8")
                    self.compare(path, random, SINGLE if "refpos" in kind else ROUNDING)

    def test_included_files_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scene.xml"
            (path.parent / "arm.xml").write_text('<mujoco><compiler angle="radian"/><default><geom density="300"/></default><worldbody>'
                + BODY.format('<include file="hand.xml"/>') + '</worldbody></mujoco>', encoding="utf-8")
            (path.parent / "hand.xml").write_text('<mujocoinclude><body name="b2" pos="0 0 .5" euler="0.1 0.2 0.3"><joint name="q2" axis="1 0 0"/>'
                '<geom size=".1" pos=".1 0 0"/></body></mujocoinclude>', encoding="utf-8")
            path.write_text('<mujoco model="scene"><include file="arm.xml"/><worldbody><light pos="0 0 3"/><geom type="plane" size="1 1 1"/>'
                            '</worldbody></mujoco>', encoding="utf-8")
            self.compare(path, np.random.default_rng(SEED))

    def test_random_trees_agree_with_mujoco(self):
        for seed in range(SEED, SEED + TREES):
            random = np.random.default_rng(seed)
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "tree.xml"
                path.write_text(RandomTree(random).text, encoding="utf-8")
                self.compare(path, random)


if __name__ == "__main__":
    unittest.main()
