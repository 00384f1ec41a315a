import re
from pathlib import Path

APP = Path(__file__).parents[2] / "app"
LIMITS = {"max-width: 599.98px", "min-width: 600px", "max-width: 1099.98px", "min-width: 1100px"}
QUERY = re.compile(r"@media[^{]*|matchMedia\([^;]*|\"\([^\"]*-width[^\"]*\"")


def test_no_file_has_a_media_query_for_another_width() -> None:
    others = [
        (str(file.relative_to(APP)), found)
        for kind in ("css", "js", "py")
        for file in APP.rglob(f"*.{kind}")
        for query in QUERY.findall(file.read_text(encoding="utf-8"))
        for found in re.findall(r"(?:min|max)-width: [\d.]+px", query)
        if found not in LIMITS
    ]
    assert others == []
