"""Creates the tags in a page's head for chats, feeds and search engines (Open Graph)."""

from typing import NamedTuple

from ..session.title import NAME
from .card import Card
from .picture import HEIGHT, WIDTH

PICTURE = "card.png"  # the address of the picture, relative to the page's folder


class Tag(NamedTuple):
    """One ``<meta>`` tag of the head; the template escapes its text."""

    by: str  # the attribute with the name, ``property`` or ``name``
    name: str
    text: str


def title_of(card: Card) -> str:
    """Return the title of the page's window until the page sets one."""
    return f"{card.title} · {NAME}" if card.title else NAME


def tags(card: Card, address: str, picture: str) -> list[Tag]:
    """Return the tags of a page, given its URL (empty if unknown) and its picture's URL."""
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
