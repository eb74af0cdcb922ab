"""System: the equations of a model as machine code, numbers in and numbers out."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from . import _core
from .errors import UsageError
from .words import Settings


class System:
    """A compiled model. It is immutable and may be asked from many threads.

        system = model.compile()
        solve_ivp(system.rates, (0, 10), system.start)      # SciPy's order of arguments
        system.with_(L=0.6).rates(0.0, y)
    States are (coordinates, speeds) in the order of `states`; a state by name is system.state(theta=0.3).
    """

    def __init__(self, prepared: Any, origin: Any) -> None:
        self._prepared, self._origin = prepared, origin
        self._core = prepared.system

    @staticmethod
    def of_model(text: str, file: str, settings: Settings, jacobian: bool, method: str,
                 inverse: bool = False) -> "System":
        """The system of a model's text."""
        core = _core.compile(text, file, settings.case, list(settings.values),
                             list(settings.tables), settings.integrate_constraints, method, jacobian, inverse)
        prepared = _core.Prepared(core, core.parameter_values, core.input_values)
        return System(prepared, (text, file, settings, jacobian, method, inverse))

    def __reduce__(self) -> Any:
        return _unpickle, (self._origin, self._prepared.parameters, self._prepared.inputs)

    # ---- What there is

    @property
    def states(self) -> List[str]:
        """The names of the states."""
        return list(self._core.states)

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters with their values."""
        return dict(zip(self._core.parameters, self._prepared.parameters))

    @property
    def inputs(self) -> Dict[str, float]:
        """The inputs with their values."""
        return dict(zip(self._core.inputs, self._prepared.inputs))

    @property
    def output_names(self) -> List[str]:
        """The names of the outputs."""
        return list(self._core.outputs)

    @property
    def units(self) -> Dict[str, str]:
        """The units of the states."""
        return dict(zip(self.states, self._core.units_of(self._core.states)))

    @property
    def start(self) -> Any:
        """The model's start state, consistent with its constraints."""
        return _numpy().array(self._core.start_values)

    @property
    def backend(self) -> str:
        """The machine code that was made, or why there is none."""
        return str(self._core.backend)

    @property
    def remarks(self) -> str:
        """Warnings about the model."""
        return str(self._core.remarks)

    def with_(self, values: Optional[Mapping[str, float]] = None, **named: float) -> "System":
        """The system with other parameters or inputs, SI numbers by name; the machine code is shared."""
        parameters, inputs = self.parameters, self.inputs
        for name, value in {**(values or {}), **named}.items():
            if name in parameters:
                parameters[name] = float(value)
            elif name in inputs:
                inputs[name] = float(value)
            else:
                raise UsageError(f"{name!r} is neither a parameter nor an input: "
                                 f"{', '.join([*parameters, *inputs]) or 'there are none'}")
        prepared = _core.Prepared(self._core, list(parameters.values()), list(inputs.values()))
        return System(prepared, self._origin)

    def state(self, values: Optional[Mapping[str, float]] = None, **named: float) -> Any:
        """The start state with other values by name, as they are: constraints are not solved for."""
        y = self.start
        for name, value in {**(values or {}), **named}.items():
            if name not in self._core.states:
                raise UsageError(f"{name!r} is no state: {', '.join(self._core.states)}")
            y[self._core.states.index(name)] = float(value)
        return y

    # ---- Numbers

    def rates(self, t: Any, y: Any) -> Any:
        """y' at a time and state. A table of states, one a column, gives a table."""
        numpy = _numpy()
        y = numpy.ascontiguousarray(y, dtype=float)
        if y.ndim == 2:
            return self.rates_batch(t, y)
        return self._prepared.rates(t, y)

    __call__ = rates

    def rates_batch(self, t: Any, y: Any, parameters: Optional[Mapping[str, Any]] = None,
                    threads: int = 1) -> Any:
        """y' of many states, one a column, eight at a time where the processor can. `t` is one time or
        one a column; `parameters` gives parameters a value a column."""
        numpy = _numpy()
        y = numpy.ascontiguousarray(y, dtype=float)
        if y.ndim != 2:
            raise UsageError("rates_batch takes a table of states, one a column")
        times = numpy.ascontiguousarray(numpy.atleast_1d(t), dtype=float)
        return self._prepared.rates_batch(times, y, self._parameter_table(parameters, y.shape[1]),
                                          threads)

    def _parameter_table(self, given: Optional[Mapping[str, Any]], count: int) -> Any:
        if not given:
            return None
        numpy = _numpy()
        known = self.parameters
        for name in given:
            if name not in known:
                raise UsageError(f"{name!r} is no parameter: {', '.join(known)}")
        return numpy.array([numpy.broadcast_to(given.get(n, v), (count,)) for n, v in known.items()],
                           dtype=float)

    def status(self, t: float, y: Any) -> str:
        """How the equations could be solved: "ok", "not finite", "not determined" or "contradictory"."""
        return str(self._prepared.status(t, _numpy().ascontiguousarray(y, dtype=float)))

    def jacobian(self, t: float, y: Any) -> Any:
        """d y'/d y. The model must have been compiled with jacobian=True."""
        return self.derivatives(t, y)["by_state"]

    def derivatives(self, t: float, y: Any) -> Dict[str, Any]:
        """Derivatives of y': by_state, by_time, by_inputs, by_parameters."""
        return dict(self._prepared.jacobian(t, _numpy().ascontiguousarray(y, dtype=float)))

    def inverse_dynamics(self, t: float, y: Any, speed_rates: Any) -> Any:
        """M u' - f: what must act on the speeds besides all loads so that they have these rates. The model must have
        been compiled with inverse=True."""
        numpy = _numpy()
        return self._prepared.inverse_dynamics(t, numpy.ascontiguousarray(y, dtype=float),
                                               numpy.ascontiguousarray(speed_rates, dtype=float))

    def mass_matrix(self, t: float, y: Any) -> Any:
        """The symmetric mass matrix of the speeds."""
        return self._prepared.mass_matrix(t, _numpy().ascontiguousarray(y, dtype=float))

    def energies(self, t: float, y: Any) -> Dict[str, float]:
        """K, K0, K1, K2, U, sigma, sigma_R, power, P_nonconservative and Z'."""
        return dict(self._prepared.energies(t, _numpy().ascontiguousarray(y, dtype=float)))

    def outputs(self, t: float, y: Any) -> Dict[str, float]:
        """The model's outputs, integrals over time taken as zero."""
        values = self._prepared.outputs(t, _numpy().ascontiguousarray(y, dtype=float))
        return dict(zip(self._core.outputs, values.tolist()))

    def simulate(self, until: Any = None, every: Any = None, tolerance: Any = None,
                 energy: Any = None, method: str = "auto", max_step: Any = None,
                 certify: Optional[str] = None, progress: Any = None, state: Any = None,
                 inputs: Any = None) -> Any:
        """A run with its certificate, from a state that is given or the model's own: see Model.simulate()."""
        from .run import run_system
        return run_system(self, until, every, tolerance, energy, method, max_step, certify, progress,
                          state, inputs)

    def __repr__(self) -> str:
        return f"<visviva.System: {', '.join(self.states[:8])}{', ...' * (len(self.states) > 8)}>"


def _unpickle(origin: Any, parameters: Any, inputs: Any) -> System:
    made = System.of_model(*origin)
    return System(_core.Prepared(made._core, parameters, inputs), origin)


def _numpy() -> Any:
    import numpy
    return numpy

