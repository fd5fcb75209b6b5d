"""Who may use a server: everybody who reaches it, or the one browser that opened the printed link."""

import hmac
import os
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Final

SECRET_BYTES: Final = 32
LINK: Final = "key"  # of the address that is printed: ?key=…
FORM_FIELD: Final = "form_key"


def fresh_secret() -> str:
    """Draw a secret that nobody can guess."""
    return os.urandom(SECRET_BYTES).hex()


def is_same(told: str, secret: str) -> bool:
    """Compare with a secret without telling by the time taken how much of it was right."""
    return hmac.compare_digest(told.encode("utf-8", "replace"), secret.encode())


@dataclass(frozen=True, slots=True)
class Everybody:
    """Whoever reaches the server may read."""

    form_key: str = ""


@dataclass(slots=True)
class OneBrowser:
    """Only the browser that opened the printed link, which works once; its cookie lives as long as this program.

    Cookies of one machine are not kept apart by port, so the port stands in the cookie's name. A form must carry a key
    of its own besides, which no other page can read.
    """

    port: int
    link_key: str = field(default_factory=fresh_secret, repr=False)
    session: str = field(default_factory=fresh_secret, repr=False)
    form_key: str = field(default_factory=fresh_secret, repr=False)
    link_was_used: bool = False

    @property
    def cookie(self) -> str:
        """The cookie's name."""
        return f"dpspin-{self.port}"

    @property
    def url(self) -> str:
        """The address to open, once."""
        return f"http://127.0.0.1:{self.port}/?{LINK}={self.link_key}"

    def takes_link(self, key: str) -> bool:
        """Tell whether a link is the printed one, and use it up."""
        if self.link_was_used or not is_same(key, self.link_key):
            return False
        self.link_was_used = True
        return True

    def knows(self, cookies: str) -> bool:
        """Tell whether this is the browser that opened the link."""
        try:
            told = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return False
        return told is not None and is_same(told.value, self.session)

    def set_cookie(self) -> str:
        """Return the header that gives a browser its cookie, which no other site makes it send and no script reads."""
        return f"{self.cookie}={self.session}; HttpOnly; SameSite=Strict; Path=/"


Access = Everybody | OneBrowser
