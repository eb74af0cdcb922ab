"""Runs and compiled systems in NumPy arrays."""

import gc
import pickle
import signal
import threading
import time

import numpy as np
import pytest
import visviva
from visviva import UsageError, units


def test_a_run_has_its_samples_by_name(pendulum):
    # IFToMM's simple pendulum: released from (-1, 0); x, y at t = 10 s.
    run = pendulum.with_(theta=-np.pi / 2).simulate(until="10 s", energy="1e-9 J", tolerance=1e-13)
    x, y = np.sin(run["theta"]), -np.cos(run["theta"])
    assert x[-1] == pytest.approx(-0.2750874625761169, abs=2e-9)
    assert y[-1] == pytest.approx(-0.9614192050991251, abs=2e-9)
    assert run.certificate.holds and run.certificate.max_deviation <= 1e-9
    assert run.t[0] == 0 and run.t[-1] == 10 and run.units["theta'"] == "1/s"
    assert run.status == "done" and run.energies["E_Z"].max_deviation <= 1e-9


def test_columns_are_views_that_outlive_the_run(pendulum):
    run = pendulum.simulate(until=1)
    theta = run["theta"]
    assert not theta.flags.owndata and not theta.flags.writeable
    expected = theta.copy()
    del run
    gc.collect()
    np.testing.assert_array_equal(theta, expected)
    with pytest.raises(ValueError):
        theta[0] = 1.0


def test_runs_can_be_pickled(pendulum):
    run = pendulum.simulate(until=1)
    again = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(again["theta"], run["theta"])
    assert again.certificate.max_deviation == run.certificate.max_deviation
    with pytest.raises(UsageError):
        again.write_csv("x.csv")


def test_files_and_tables(pendulum, tmp_path):
    run = pendulum.simulate(until=1, every="0.1 s")
    run.write_csv(tmp_path / "run.csv")
    read = np.genfromtxt(tmp_path / "run.csv", delimiter=",", skip_header=2)
    np.testing.assert_array_equal(read[:, 1], run["theta"])
    run.write_h5(tmp_path / "run.h5")
    assert (tmp_path / "run.h5").stat().st_size > 0
    with pytest.raises(UsageError):
        run.write_csv(tmp_path / "no" / "folder.csv")
    pandas = pytest.importorskip("pandas")
    frame = run.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t"
    xarray = pytest.importorskip("xarray")
    assert isinstance(run.to_xarray(), xarray.Dataset)


def test_rates_are_scipys(pendulum):
    integrate = pytest.importorskip("scipy.integrate")
    system = pendulum.compile()
    answer = integrate.solve_ivp(system.rates, (0, 2), system.start, rtol=1e-12, atol=1e-12,
                                 method="DOP853", vectorized=True)
    run = pendulum.simulate(until=2, tolerance=1e-12)
    np.testing.assert_allclose(answer.y[:, -1], [run["theta"][-1], run["theta'"][-1]], atol=1e-9)


def test_many_states_at_once(pendulum):
    system = pendulum.compile()
    rng = np.random.default_rng(1)
    states = rng.normal(size=(2, 1000))
    expected = np.array([states[1], -9.81 * np.sin(states[0])])
    np.testing.assert_allclose(system.rates_batch(0.0, states), expected, rtol=1e-13)
    np.testing.assert_array_equal(system.rates_batch(0.0, states, threads=2),
                                  system.rates_batch(0.0, states))
    lengths = rng.uniform(0.5, 2, size=1000)
    np.testing.assert_allclose(system.rates_batch(0.0, states, parameters={"L": lengths}),
                               [states[1], -9.81 / lengths * np.sin(states[0])], rtol=1e-13)
    with pytest.raises(UsageError):
        system.rates_batch(0.0, states[:1])
    with pytest.raises(UsageError):
        system.rates_batch(0.0, states, parameters={"length": lengths})


def test_a_system_has_other_values_and_derivatives(pendulum):
    system = pendulum.compile(jacobian=True)
    y = system.state(theta=0.3)
    np.testing.assert_allclose(system.jacobian(0.0, y), [[0, 1], [-9.81 * np.cos(0.3), 0]], rtol=1e-13)
    slopes = system.derivatives(0.0, y)
    assert slopes["by_parameters"].shape == (2, 3)
    assert system.mass_matrix(0.0, y)[0, 0] == pytest.approx(1.0)
    half = system.with_(L=0.5)
    assert half.rates(0.0, y)[1] == pytest.approx(-9.81 / 0.5 * np.sin(0.3), rel=1e-14)
    assert system.parameters["L"] == 1.0 and half.parameters["L"] == 0.5
    assert system.energies(0.0, y)["U"] == pytest.approx(-9.81 * np.cos(0.3))
    with pytest.raises(UsageError):
        pendulum.compile().jacobian(0.0, y)
    with pytest.raises(UsageError):
        system.rates(0.0, [1.0])
    again = pickle.loads(pickle.dumps(half))
    np.testing.assert_array_equal(again.rates(0.0, y), half.rates(0.0, y))


def test_inverse_dynamics_is_what_the_mass_matrix_says(pendulum):
    system = pendulum.compile(inverse=True)
    y = system.state({"theta": 0.7, "theta'": 2.0})
    # m L^2 theta'' + m g L sin(theta)
    assert system.inverse_dynamics(0.0, y, [3.0])[0] == pytest.approx(3.0 + 9.81 * np.sin(0.7), rel=1e-14)
    rates = system.rates(0.0, y)
    assert system.inverse_dynamics(0.0, y, rates[1:])[0] == pytest.approx(0.0, abs=1e-13)
    with pytest.raises(UsageError):
        pendulum.compile().inverse_dynamics(0.0, y, [3.0])


def test_threads_share_a_system(pendulum):
    system = pendulum.compile()
    states = np.random.default_rng(2).normal(size=(2, 64))
    expected = system.rates_batch(0.0, states)
    wrong = []

    def work():
        for _ in range(200):
            if not np.array_equal(system.rates_batch(0.0, states), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_force_law_in_python_is_certified(pendulum):
    # A spring and a damper as a function; the same as statements of the model.
    by_law, by_model = pendulum.copy(), pendulum.copy()
    by_law.input("tau", "0 N*m")
    by_law.statement("torque motor on A = tau*N.z")
    by_model.spring("s", stiffness="2 N*m", on="theta")
    by_model.damper("c", rate="0.3 N*m*s", on="theta")
    run = by_law.simulate(until=5, energy=1e-8, inputs={"tau": lambda t, y: -2 * y[0] - 0.3 * y[1]})
    expected = by_model.simulate(until=5, energy=1e-8, tolerance=1e-12)
    assert run.certificate.holds
    np.testing.assert_allclose(run["theta"], expected["theta"], atol=1e-6)
    assert run.energies["K2" if "K2" in run.energies else "K"].max_deviation > 0.1
    with pytest.raises(ZeroDivisionError):
        by_law.simulate(until=5, inputs={"tau": lambda t, y: 1 / 0})
    with pytest.raises(UsageError):
        by_law.simulate(until=5, inputs={"torque": lambda t, y: 0.0})


def test_ctrl_c_keeps_what_was_computed(pendulum):
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    began = time.time()
    run = pendulum.simulate(until=1e6, every=1)
    assert time.time() - began < 30
    assert run.status == "stopped" and 0 < run.t_end < 1e6 and len(run.t) > 0


def test_progress_is_told(pendulum):
    seen = []
    pendulum.simulate(until=1000, every=1, progress=lambda t, until, steps, off: seen.append((t, until)))
    assert len(seen) > 3 and seen[-1][1] == 1000 and seen[0][0] < seen[-1][0]


def test_a_run_that_is_refused_says_why():
    model = visviva.parse("model pole\ncoordinate x = 1 m, x' = -1 m/s\nparticle P at No + x*N.x, mass 1 kg\n"
                          "force F on P = -1 N*m^2/x^2*N.x\n")
    run = model.simulate(until=10)
    assert run.status == "refused" and run.reason
    assert "holds" in run.certificate and run.certificate.holds is not True


def test_a_chain_is_built_quickly():
    began = time.perf_counter()
    model = visviva.Model("chain")
    N, at = model.newtonian, model.newtonian.origin
    model.gravity(-9.81 * units.m / units.s**2 * N.y)
    for i in range(100):
        q = model.coordinate(f"q{i}", start=0.1 * units.rad)
        A = model.frame(f"A{i}", visviva.rotate(N, "z", q))
        at = model.particle(f"P{i}", at=at - 1 * units.m * A.y, mass=1 * units.kg)
    assert time.perf_counter() - began < 0.05
    assert model.check().degrees_of_freedom == 100
