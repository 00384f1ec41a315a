import gc
import weakref
from types import SimpleNamespace

from bokeh.document import Document
from panel.models.esm import DataEvent
from tinkerformer.shell import create_page
from tinkerformer.shell.served.template import put_into
from tinkerformer.transport.panel.page_port import PagePort


def test_closing_a_page_frees_all_objects_of_its_session():
    held = []

    def make(session):
        page = create_page(session)
        state = page.state
        state.change(state.scenario.with_value("source.W_e", (0, 0), 1.5))
        held.extend(weakref.ref(each) for each in (state, state.runner, state.history, session))
        return page

    document = Document()
    port = PagePort(document, make)
    put_into(document, port)
    document.on_message("bokeh_event", lambda event: None)
    document.callbacks.trigger_event(DataEvent(model=document.roots[0], data={}))
    assert len(held) == 4
    assert all(each() is not None for each in held)
    for end in document.session_destroyed_callbacks:
        end(SimpleNamespace(id="gone", request=None, _document=document))
    document.clear()
    del document, port, end
    gc.collect()
    assert [each() for each in held] == [None] * 4
