import subprocess
import sys


def test_opening_a_page_creates_no_chart():
    """Only the page's charts import Bokeh's plotting, and none is drawn yet."""
    script = (
        "import sys; from tinkerformer.shell import create_page; create_page();"
        "print([m for m in sys.modules if m.startswith('tinkerformer.charts')"
        " or m == 'bokeh.plotting'])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (found.stdout.strip(), found.returncode) == ("[]", 0), found.stderr
