"""Parses a lesson file to plain data: its front matter, and each step's text and directives.

The result is JSON, so that a static site can include it without the packages that parse Markdown.
``lessons.reading`` checks its meaning.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from ..problem import Collector, LessonProblem

Data = dict[str, Any]
# Text fields of directives, which may contain formulas and links.
TEXTS = frozenset(
    {"ask", "because", "before", "after", "dare", "do", "hint", "say", "shows", "label"}
)

CELL = "cell:"
VIEW = "view:"
# The C loader is ten times faster.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_DEPTH = 12  # nesting of groups and lists
# Limits for a paragraph and a text: parsing time grows faster than the length, because the parser
# compares each mark with all others.
MAX_PARAGRAPH = 3_000  # characters
MAX_MARKS = 300
MARKS = "*_[`"
_LINKS = re.compile(r"(cell:|view:|https?://)")
_INFO = re.compile(r"\{(\w+)\}")
_BLOCKS = {
    "paragraph_open": "p",
    "bullet_list_open": "ul",
    "ordered_list_open": "ol",
    "list_item_open": "li",
    "blockquote_open": "blockquote",
    "table_open": "table",
    "thead_open": "thead",
    "tbody_open": "tbody",
    "tr_open": "tr",
    "th_open": "th",
    "td_open": "td",
    "heading_open": "h4",
}
_MARKS = {"em_open": "em", "strong_open": "strong"}


def parse(text: str, file: str) -> Data:
    """Parse a lesson file to plain data.

    If the file is invalid, raise ``LessonProblems`` with all problems and the valid parts' data.
    """
    return _Parser(file).parse(text)


def _markdown() -> MarkdownIt:
    found = MarkdownIt("commonmark", {"html": False}).enable("table")
    found.use(front_matter_plugin).use(colon_fence_plugin).use(dollarmath_plugin)
    found.validateLink = lambda url: bool(_LINKS.match(url))  # type: ignore[method-assign]
    return found


class _Parser:
    def __init__(self, file: str) -> None:
        self.file = file
        self.markdown = _markdown()
        self.found = Collector()

    def parse(self, text: str) -> Data:
        with self.found.part():
            self._look_at_lengths(text)
        self.found.raise_all()  # parsing would take too long
        head: Data | None = None
        steps: list[Data] = []
        tokens = self.markdown.parse(text)
        at = 0
        while at < len(tokens):
            token = tokens[at]
            line = (token.map or [0])[0] + 1
            end = _end(tokens, at)
            with self.found.part():
                if token.type == "front_matter":
                    head = {"fields": {}, "lines": {}, "line": line + 1}  # if YAML cannot be read
                    head = self._yaml(token.content, line + 1, "the front matter")
                elif token.type == "heading_open" and token.tag == "h2":
                    steps.append({"title": self._plain(tokens[at + 1]), "line": line, "items": []})
                elif token.type == "heading_open" and token.tag == "h1":
                    raise LessonProblem(self.file, line, "the title stands in the front matter")
                elif not steps:
                    raise LessonProblem(self.file, line, "a step begins with a line “## its title”")
                else:
                    steps[-1]["items"].append(self._item(tokens[at : end + 1], line))
            at = end + 1
        data = {"file": self.file, "head": head, "steps": steps}
        with self.found.part():
            if head is None:
                raise LessonProblem(self.file, 1, "it has no front matter between two lines “---”")
        self.found.raise_all(data)
        return data

    def _item(self, tokens: Sequence[Token], line: int) -> Data:
        """Parse a directive or a block of text."""
        if tokens[0].type == "colon_fence":
            return self._directive(tokens[0], line)
        try:
            return {"kind": "text", "block": self._block(tokens, line), "line": line}
        except RecursionError:
            raise LessonProblem(self.file, line, "its text is nested too deep") from None

    def _look_at_lengths(self, text: str) -> None:
        """Check that no paragraph is too long or has too many marks, so that parsing is fast."""
        begin, paragraph = 1, ""
        for line, each in enumerate((*text.splitlines(), ""), 1):
            if each.strip() and not each.startswith(":::"):
                paragraph += f"{each}\n"
                continue
            self._look_at_length(paragraph, begin, "a paragraph")
            begin, paragraph = line + 1, ""

    def _look_at_length(self, text: str, line: int, what: str) -> None:
        if len(text) > MAX_PARAGRAPH:
            raise LessonProblem(self.file, line, f"{what} has at most {MAX_PARAGRAPH:,} characters")
        if sum(map(text.count, MARKS)) > MAX_MARKS:
            raise LessonProblem(
                self.file, line, f"{what} has at most {MAX_MARKS} of the marks {' '.join(MARKS)}"
            )

    # -- front matter and directives -----------------------------------------------------------

    def _yaml(self, content: str, line: int, what: str) -> Data:
        """Parse a YAML mapping, with the line of each field."""
        at = line
        fields: Data = {}
        lines: dict[str, int] = {}
        try:
            self._look_through(content, line)
            loader = _Loader(content)
            node = loader.get_single_node()
            if not isinstance(node, yaml.MappingNode) or not all(
                _is_text(k) for k, _ in node.value
            ):
                raise LessonProblem(self.file, line, f"{what} is made of lines “name: value”")
            for key, value in node.value:
                # Convert fields separately, so that an error has the line of its field.
                lines[key.value] = at = line + key.start_mark.line
                fields[key.value] = _as_json(loader.construct_document(value))
        except LessonProblem:
            raise
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            at = line + mark.line if mark else at
            said = getattr(error, "problem", None) or "it cannot be read"
            raise LessonProblem(self.file, at, f"{what} is not YAML: {said}") from None
        except Exception as error:  # the YAML library's errors for invalid dates, numbers and tags
            raise LessonProblem(self.file, at, f"{what} cannot be read: {error}") from None
        return {"fields": fields, "lines": lines, "line": line}

    def _look_through(self, content: str, line: int) -> None:
        """Check that YAML is a tree of limited depth, before a recursive function builds it."""
        depth = 0
        for event in yaml.parse(content, _Loader):
            at = line + event.start_mark.line
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent):
                raise LessonProblem(self.file, at, "a lesson has no aliases “*name”")
            if depth > MAX_DEPTH:
                what = f"groups and lists are nested at most {MAX_DEPTH} deep"
                raise LessonProblem(self.file, at, what)

    def _directive(self, token: Token, line: int) -> Data:
        found = _INFO.fullmatch(token.info.strip())
        if not found:
            raise LessonProblem(
                self.file, line, f"a directive is written “:::{{look}}”, not {token.info[:60]!r}"
            )
        data = self._yaml(token.content, line + 1, f"what stands in {found[0]}")
        fields = self._texts(data["fields"], data["lines"])
        return {"kind": found[1], **data, "line": line, "fields": fields}

    def _texts(self, fields: Data, lines: dict[str, int]) -> Data:
        """Return the fields, with Markdown parsed in those that are text."""
        return {
            name: self._text_of(name, value, lines.get(name, 1)) for name, value in fields.items()
        }

    def _text_of(self, name: str, value: Any, line: int) -> Any:
        # The field `do` of a scene of a film is a group of changes, not a text.
        if name in TEXTS and value is not None and not isinstance(value, dict):
            return self._marked(name, value, line)
        if isinstance(value, list):
            return [
                {n: self._text_of(n, x, line) for n, x in each.items()}
                if isinstance(each, dict)
                else each
                for each in value
            ]
        return value

    def _marked(self, name: str, value: Any, line: int) -> list[Any]:
        """Parse a text with marks; reject other values, such as lists."""
        if not isinstance(value, str):
            raise LessonProblem(self.file, line, f"{name} is no text")
        self._look_at_length(value, line, name)
        try:
            return self._inline(self.markdown.parseInline(value)[0].children or [], line)
        except RecursionError:
            raise LessonProblem(self.file, line, f"{name}: it is nested too deep") from None

    # -- text ------------------------------------------------------------------------------------

    def _plain(self, token: Token) -> str:
        return "".join(each.content for each in token.children or [])

    def _block(self, tokens: Sequence[Token], line: int) -> list[Any]:
        first = tokens[0]
        if first.type in ("fence", "code_block"):
            return ["pre", first.content]
        if first.type in ("math_block", "math_block_label"):
            return ["display", first.content.strip()]
        if first.type == "hr":
            return ["hr"]
        if first.type == "inline":
            return ["span", *self._inline(first.children or [], line)]
        if first.type not in _BLOCKS:
            raise LessonProblem(self.file, line, f"a lesson has no {first.type.split('_')[0]}")
        inside: list[Any] = []
        at = 1
        while at < len(tokens) - 1:
            here = tokens[at]
            at_line = (here.map or [line - 1])[0] + 1
            if here.type == "inline":
                inside += self._inline(here.children or [], at_line)
            else:
                end = at + _end(tokens[at:], 0)
                inside.append(self._block(tokens[at : end + 1], at_line))
                at = end
            at += 1
        if first.type == "paragraph_open" and first.hidden:
            return ["span", *inside]
        return [_BLOCKS[first.type], *inside]

    def _inline(self, tokens: Sequence[Token], line: int) -> list[Any]:
        found: list[Any] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.type == "text":
                if token.content:
                    found.append(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                found.append(" ")
                line += 1
            elif token.type == "code_inline":
                found.append(_code(token.content, line))
            elif token.type.startswith("math"):
                found.append(["math", token.content])
            elif token.nesting == 1:
                end = at + _end(tokens[at:], 0)
                inside = self._inline(tokens[at + 1 : end], line)
                found.append(self._mark(token, inside, line))
                at = end
            else:
                raise LessonProblem(self.file, line, f"a lesson’s text has no {token.type}")
            at += 1
        return found

    def _mark(self, token: Token, inside: list[Any], line: int) -> list[Any]:
        if token.type == "link_open":
            href = str(token.attrs.get("href", ""))
            if href.startswith(CELL):
                cell = href.removeprefix(CELL).replace("%5B", "[").replace("%5D", "]")
                return ["cell", cell, line, *inside]
            if href.startswith(VIEW):
                return ["view", href.removeprefix(VIEW), line, *inside]
            return ["a", href, *inside]
        return [_MARKS[token.type], *inside]


def _is_text(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:str"


def _as_json(value: Any) -> Any:
    """Convert a value to JSON types; YAML also has dates and sets, which raise ``ValueError``."""
    try:
        return json.loads(json.dumps(value))
    except TypeError:
        raise ValueError("it is no text, number, list or group; text may be quoted") from None


def _code(content: str, line: int) -> list[Any]:
    """Parse inline code; after an equals sign it is an expression that is shown as its value."""
    if content.startswith("="):
        return ["live", content[1:].strip(), line]
    return ["code", content]


def _end(tokens: Sequence[Token], at: int) -> int:
    """Return the index of the last token of the element that starts at an index."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += tokens[place].nesting
        if depth == 0:
            return place
    return len(tokens) - 1
