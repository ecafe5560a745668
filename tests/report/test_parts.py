import json

import pandas as pd
import pytest

from acoibl.experiments import get_profile
from acoibl.report import Artifacts
from acoibl.report.index import write_index
from acoibl.report.parts import read_parts, read_state

ENTRY = {
    "profile": "smoke",
    "title": "First",
    "status": "ok",
    "seconds": 1.5,
    "error": "",
    "finished": "2024-01-01 00:00 UTC",
    "parameters": "",
    "run": "1",
}
PART = {"kind": "figure", "name": "f", "notebook": "", "run": "", "order": 1, "caption": "c"}
FACTS = {"kind": "facts", "name": "x", "notebook": "", "run": "", "order": 1}


def without(content, *keys):
    return {key: value for key, value in content.items() if key not in keys}


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[1]",
        "null",
        "[" * 100_000,
        {},
        without(PART, "notebook"),
        without(PART, "order"),
        without(PART, "caption"),
        {**PART, "kind": "table"},
        {**PART, "kind": ["table"]},
        {**PART, "kind": "song"},
        {**PART, "name": "../../precious"},
        {**PART, "notebook": None},
        {**PART, "order": "1"},
        {**PART, "caption": "\ud800"},
        FACTS,
        {**FACTS, "facts": {"a": 1}, "summary": {}},
        {**FACTS, "facts": {}, "summary": ["a"]},
    ],
)
def test_a_part_of_another_shape_is_left_out_with_a_message(tmp_path, content):
    report = Artifacts("smoke", tmp_path)
    report.table("good", pd.DataFrame({"a": [1]}))
    path = tmp_path / "parts" / "table-odd.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    said = []
    write_index(tmp_path, get_profile("smoke"), {}, said.append)
    assert [part["name"] for part in read_parts(tmp_path)] == ["good"]
    assert len(said) == 1
    assert said[0].startswith(f"{path} is left out")
    assert "table-good" in (tmp_path / "index.html").read_text()


def test_parts_of_the_right_shape_are_kept(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.json").write_text(json.dumps(PART))
    (tmp_path / "parts" / "b.json").write_text(json.dumps({**FACTS, "facts": {}, "summary": {}}))
    assert [part["name"] for part in read_parts(tmp_path)] == ["f", "x"]


@pytest.mark.parametrize(
    "odd",
    [1, None, [], {}, without(ENTRY, "seconds"), {**ENTRY, "seconds": "1"}, {**ENTRY, "title": 1},
     {**ENTRY, "seconds": True}],
)  # fmt: skip
def test_a_state_of_another_shape_is_left_out_with_a_message(tmp_path, odd):
    said = []
    (tmp_path / "report.json").write_text(
        json.dumps({"01_first": ENTRY, "02_second": odd, "../x": ENTRY})
    )
    state = read_state(tmp_path, said.append)
    assert state == {"01_first": ENTRY}
    assert len(said) == 2
    summary = write_index(tmp_path, get_profile("smoke"), state, said.append)
    assert "1 of 1 notebooks finished" in summary[0]


@pytest.mark.parametrize("text", ["{", "[]", "1", '{"a": "\\ud800"}'])
def test_a_state_that_cannot_be_read_is_none(tmp_path, text):
    said = []
    assert read_state(tmp_path, said.append) == {}
    assert not said  # a new folder is no news
    (tmp_path / "report.json").write_text(text)
    assert read_state(tmp_path, said.append) == {}
    assert len(said) == 1
