import subprocess
import sys


def test_a_page_is_made_without_a_chart():
    """Bokeh's plotting is imported by our charts alone, and no chart is drawn yet."""
    script = (
        "import sys; from tinkerformer.shell import create_page; create_page();"
        "print([m for m in sys.modules if m.startswith('tinkerformer.charts')"
        " or m == 'bokeh.plotting'])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (found.stdout.strip(), found.returncode) == ("[]", 0), found.stderr
