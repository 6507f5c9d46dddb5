import doctest
import pkgutil
from importlib import import_module

import play


def test_the_examples_in_the_docstrings_of_play() -> None:
    attempted = 0
    for module in pkgutil.iter_modules(play.__path__):
        result = doctest.testmod(import_module(f"play.{module.name}"), optionflags=doctest.NORMALIZE_WHITESPACE)
        assert result.failed == 0, module.name
        attempted += result.attempted
    assert attempted > 10
