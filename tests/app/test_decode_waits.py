import asyncio
import dataclasses
import threading

import pytest
from tinkerformer.decoding import decoding_task, greedy
from tinkerformer.features.decode import view as decode_view
from tinkerformer.features.decode.view import DecodeView
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.session.state import AppState
from tinkerformer.transport.runtime.page_session import PageSession

from transformer_math.decoding import Decoding, beam_search, greedy_decode, sample

from .test_derived import until


class Overtaken(Exception):
    """Fail, because the result is no longer needed."""


@pytest.fixture
def view(monkeypatch):
    """A drawer whose model counts as large."""
    monkeypatch.setattr(decode_view, "_cost", lambda *_: "slow")
    return DecodeView(AppState(catalog.first("phrases")), lambda: None, PageSession())


def numbers(scenario, k):
    return scenario.with_value("output.W_out", (0, 0), float(k))


@pytest.mark.parametrize("way", ["greedy", "beam", "sample"])
def test_decoding_stops_within_the_step_at_which_new_input_replaces_it(way):
    scenario = catalog.first("phrases")
    steps = []

    def before_step():
        steps.append(way)
        if len(steps) == 3:
            raise Overtaken

    model, source = ForwardPassRunner().model(scenario), scenario.ids("source")
    start, end = scenario.vocabulary.ids("target", ("<sos>", "<eos>"))
    decoding = Decoding(start, end, 20, before_step=before_step)
    ways = {
        "greedy": lambda: greedy_decode(model, source, decoding),
        "beam": lambda: beam_search(model, source, decoding, beam_size=2),
        "sample": lambda: sample(model, source, decoding),
    }
    with pytest.raises(Overtaken):
        ways[way]()
    assert len(steps) == 3


def test_a_task_that_new_input_replaces_does_not_run_to_its_end():
    scenario, state = catalog.first("phrases"), AppState(catalog.first("phrases"))
    task = decoding_task(scenario, ForwardPassRunner(), state.decode)

    def go_on():
        raise Overtaken

    with pytest.raises(Overtaken):
        greedy(dataclasses.replace(task, go_on=go_on))


def test_the_written_text_stays_while_a_model_learns(view, monkeypatch):
    seen, may_write = [], threading.Event()
    write = decode_view._written

    def written(*given):
        may_write.wait(60)
        return write(*given)

    async def learn():
        view.show(True)
        await until(lambda: "coming" not in view._parts.body.data)
        view._parts.body.param.watch(lambda event: seen.append(event.new), "data")
        monkeypatch.setattr(decode_view, "_written", written)
        view.state.learning = True
        for k in range(5):
            view.state.scenario = numbers(view.state.scenario, k)
            await asyncio.sleep(0.01)
        may_write.set()
        await until(lambda: view._task is not None and view._task.scenario is view.state.scenario)

    monkeypatch.setattr(decode_view, "_written", write)
    asyncio.run(learn())
    assert seen
    assert all("coming" not in data for data in seen)


async def test_the_button_sample_again_works_while_samples_arrive(view, monkeypatch):
    may_write = threading.Event()
    write = decode_view._written

    def written(*given):
        may_write.wait(60)
        return write(*given)

    monkeypatch.setattr(decode_view, "_written", written)
    view.show(True)
    view.state.decode = view.state.decode.changed("method", "sample")
    first = view.state.decode.seed
    view._on_press("again")
    assert view.state.decode.seed > first
    may_write.set()
    await until(lambda: bool(view._texts))
    assert view._texts[0]["seed"] == view.state.decode.seed
