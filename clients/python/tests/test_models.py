import inspect
import pickle
from datetime import datetime, timezone

import pytest

from holdfast._generated import models as generated
from holdfast._names import to_attribute, to_wire
from holdfast.models import GetRelatedMemoriesPage, ListTasksOutput, Memory, Model, Task

TASK = {
    "taskId": "t1",
    "title": "Water",
    "status": "todo",
    "createdAt": "2026-11-21T09:00:00.123Z",
    "completedAt": None,
    "statusHistory": [{"from": None, "to": "todo", "at": "2026-11-21T09:00:00.000Z"}],
}


def test_fields_have_python_names_and_types() -> None:
    task = Task(TASK)
    assert task.task_id == "t1"
    assert task.created_at == datetime(2026, 11, 21, 9, 0, 0, 123000, tzinfo=timezone.utc)
    assert task.completed_at is None
    assert task.status_history[0].from_ is None
    assert task.status_history[0].at.year == 2026


def test_newer_servers_may_send_unknown_fields_and_values() -> None:
    task = Task({**TASK, "status": "paused", "newField": {"innerField": 1}})
    assert task.status == "paused"
    assert task.new_field == {"innerField": 1}  # type: ignore[attr-defined]


def test_unknown_fields_cannot_replace_what_a_model_does() -> None:
    task = Task({**TASK, "toDict": 1, "__class__": 2, "_wire": 3})
    assert task.to_dict()["taskId"] == "t1"
    assert type(task) is Task


def test_older_servers_may_leave_fields_out() -> None:
    memory = Memory({"memoryId": "m1"})
    with pytest.raises(AttributeError):
        _ = memory.content
    assert Model({"a": 1}) == Model({"a": 1})


def test_models_cannot_be_changed() -> None:
    task = Task(TASK)
    with pytest.raises(AttributeError, match="can't be changed"):
        task.title = "Weed"
    with pytest.raises(AttributeError, match="can't be deleted"):
        del task.title


def test_models_can_be_compared_printed_pickled_and_turned_into_json() -> None:
    task = Task(TASK)
    assert task == Task(dict(TASK))
    assert task != Task({**TASK, "title": "Weed"})
    assert "title='Water'" in repr(task)
    assert pickle.loads(pickle.dumps(task)) == task  # noqa: S301
    assert task.to_dict() == TASK


def test_lists_contain_models() -> None:
    assert ListTasksOutput({"tasks": [TASK]}).tasks[0].title == "Water"


def test_names_follow_one_rule_in_both_directions() -> None:
    assert to_attribute("relatedMemoryIds") == "related_memory_ids"
    assert to_wire("related_memory_ids") == to_wire("relatedMemoryIds") == "relatedMemoryIds"
    assert to_attribute("from") == "from_"


def test_each_annotated_field_is_the_name_of_a_wire_field_with_a_reader_for_it() -> None:
    classes = [
        one for one in vars(generated).values() if isinstance(one, type) and issubclass(one, Model)
    ]
    assert len(classes) > 80
    for one in classes:
        fields = {name for base in one.__mro__ for name in inspect.get_annotations(base)}
        for wire in one._readers:
            assert to_attribute(wire) in fields, f"{one.__name__}.{wire}"


def test_pages_know_their_list() -> None:
    assert GetRelatedMemoriesPage._items == "memories"
