"""The stored steps of techniques are those in explanations of their examples.

Written steps can also be read again.
"""

from importlib.resources import files

from docs_build.technique_steps import lines
from solver.logic.deduction import unpack
from web.pages.technique_pictures import FILE, read_step, written_step


def test_stored_step_of_each_technique_is_its_first_one_in_its_example() -> None:
    stored = files("web.api").joinpath(*FILE).read_text("ascii").splitlines()
    assert stored == list(lines()), "python -m docs_build.technique_steps updates the file"


def test_written_steps_can_be_read_again() -> None:
    for line in lines():
        code, _, step = line.partition(" ")
        position, rows = read_step(step)
        assert written_step(position, rows) == step
        assert [deduction.code for deduction in unpack(rows)] == [code]
