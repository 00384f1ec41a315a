"""Write an app of Panel as a site without a server: ``python convert.py dashboard.py site WHEEL``.

``WHEEL`` is the file that ``pip wheel --no-deps .`` makes of this project. The wheels that ``panel
convert`` names lack scripts of Panel and Bokeh that a page needs. With a version, the function
behind the command names the whole wheels.
"""

import sys
from importlib.metadata import version

from panel.io.convert import convert_apps


def main() -> None:
    """Convert the app."""
    app, folder, wheel = sys.argv[1:]
    requirements = [f"tinkerformer @ file:{wheel}"]
    convert_apps(app, folder, requirements=requirements, panel_version=version("panel"))


if __name__ == "__main__":
    main()
