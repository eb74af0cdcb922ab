"""`prove` decides textbook models with roots and inverse functions in positions and orientations."""

import json
import unittest

from program import Folder, visviva

HEAD = "parameter m = 1 kg, r = 0.2 m, L = 1 m, g = 9.81 m/s^2, J = 0.1 kg*m^2, k = 3 N/m\n"
MODELS = {
    "spherical pendulum in x, y": """coordinate x = 0.1 m, y = 0.2 m
particle Q at No + x*N.x + y*N.y - sqrt(L^2 - x^2 - y^2)*N.z, mass m
gravity -g*N.z
""",
    "pendulum by the sine of its angle": """coordinate x = 0.1
frame A = rotate(N, z, asin(x))
body A at No + L*A.x, mass m, inertia J, J, J
gravity -g*N.y
""",
    "ladder at a wall": """coordinate x = 0.3 m
frame A = rotate(N, z, asin(x/L))
body A at No + x*N.x/2 + sqrt(L^2 - x^2)/2*N.y, mass m, inertia J, J, J
gravity -g*N.y
""",
    "slider-crank without a loop": """coordinate q = 0.4 rad, b = 0.1 rad
frame A = rotate(N, z, q)
frame B = rotate(N, z, -asin(r*sin(q)/L))
frame C = rotate(N, z, b + 2*asin(r*sin(q)/L))
body B at No + r*A.x + 0.5*L*B.x, mass m, inertia J, J, J
particle P at No + r*A.x + L*B.x, mass m
particle R at P + L*C.x, mass m
gravity -g*N.y
""",
    "five roots, and a spring": """coordinate x = 0.1 m, y = 0.2 m, z = 0.1 m
frame A = rotate(N, z, acos(y/L))
frame B = rotate(A, x, atan(z/L))
particle Q at No + x*N.x + y*N.y - sqrt(L^2 - x^2 - y^2)*N.z, mass m
particle R at Q + z*A.x + sqrt(L^2 + z^2)*B.y, mass 2*m
spring S from No to R, stiffness k, rest 0.3 m
gravity -g*N.z
""",
}


class Roots(Folder):
    def test_models_with_roots_are_decided(self):
        for name, text in MODELS.items():
            with self.subTest(name):
                result = visviva("prove", self.write(f"model m\n{HEAD}{text}"), "--json")
                proof = json.loads(result.stdout)
                self.assertEqual((result.returncode, proof["verdict"]), (0, "equal"), proof["evidence"])

    def test_accelerations_are_those_of_the_angle(self):
        # x = sin(q): x'' = cos(q) q'' - sin(q) q'^2, q'' = -m g L cos(q)/(m L^2 + J) about the horizontal.
        model = f"model m\n{HEAD}" + MODELS["pendulum by the sine of its angle"].replace("x = 0.1", "x = 0.6, x' = 0.4 s^-1")
        found = json.loads(visviva("evaluate", self.write(model), "--json").stdout)
        rate = 0.4 / 0.8
        expected = 0.8 * (-9.81 * 0.8 / 1.1) - 0.6 * rate**2
        self.assertAlmostEqual(found["accelerations"]["x''"], expected, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
