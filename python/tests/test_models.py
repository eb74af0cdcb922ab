"""The examples in Python are the examples of the files: same equations, same start, same runs, bit for bit."""

import inspect
import json

import numpy as np
import pytest
import visviva
from conftest import EXAMPLES
from models import MODELS


def comparable(answer):
    """An answer as text, so that NaN equals NaN, without what depends on lines of the model and on words for people."""
    return json.dumps(without_places(answer))


def without_places(answer):
    if isinstance(answer, dict):
        return {k: without_places(v) for k, v in answer.items()
                if k not in ("line", "column", "file", "warnings", "documentation", "source", "place", "title", "doc")}
    return [without_places(a) for a in answer] if isinstance(answer, list) else answer


@pytest.mark.parametrize("make", MODELS, ids=lambda make: make.__name__)
def test_a_model_in_python_is_the_model_of_the_file(make):
    built, read = make(), visviva.load(EXAMPLES / f"{make.__name__}.viva")
    for verb in ("equations", "check", "evaluate"):
        assert comparable(getattr(built, verb)().to_dict()) == comparable(getattr(read, verb)().to_dict())
    one, other = built.simulate(until=0.2), read.simulate(until=0.2)
    assert one.columns == other.columns and one.units == other.units
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("make", [m for m in MODELS if "case(" in inspect.getsource(m)], ids=lambda make: make.__name__)
def test_its_cases_are_those_of_the_file(make):
    built, read = make(), visviva.load(EXAMPLES / f"{make.__name__}.viva")
    for line in read.text.splitlines():
        if line.startswith("case "):
            name = line.split()[1].rstrip(":")
            assert comparable(built.with_(case=name).evaluate().to_dict()) == \
                comparable(read.with_(case=name).evaluate().to_dict())
