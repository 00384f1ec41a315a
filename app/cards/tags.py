"""The tags in a page's head for chats, feeds and search engines (Open Graph)."""

from typing import NamedTuple

from ..session.title import NAME
from .card import Card
from .picture import HEIGHT, WIDTH

PICTURE = "card.png"  # its address, relative to the page's folder


class Tag(NamedTuple):
    """One ``<meta>`` of the head; its text is escaped when it is written.

    Attributes:
        by: the attribute that names it, ``property`` or ``name``.
        name: its name.
        text: its content.
    """

    by: str
    name: str
    text: str


def title_of(card: Card) -> str:
    """The title of the page's window until the page sets one."""
    return f"{card.title} · {NAME}" if card.title else NAME


def tags(card: Card, address: str, picture: str) -> list[Tag]:
    """The tags of a page.

    Args:
        card: the card of its link.
        address: the URL of the page, including the link; empty if unknown.
        picture: the public URL of the picture.
    """
    title = card.title or NAME
    found = {
        "og:type": "website",
        "og:site_name": NAME,
        "og:title": title,
        "og:description": card.about,
        "og:url": address,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": f"{title}. {card.about}",
    }
    said = [Tag("property", name, text) for name, text in found.items() if text]
    return [
        Tag("name", "description", card.about),
        *said,
        Tag("name", "twitter:card", "summary_large_image"),
    ]
