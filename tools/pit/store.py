"""One small door to SQLite (a file) or PostgreSQL (a server); the same SQL goes to both.

store = Store("sqlite:pit.db")      Store("postgresql://felt@db.pit/felt")
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any, Iterable, Iterator

from . import schema

BUSY_S = 30
POSTGRES = ("postgresql:", "postgres:")
SETUP_LOCK = 0x46454C54  # two collectors that start at once: one makes the tables


def existing(url: str) -> Store:
    """A database that is there already: a mistyped name makes no empty one, but an OSError."""
    path = url.removeprefix("sqlite:")
    if not url.startswith(POSTGRES) and not Path(path).is_file():
        raise OSError(f"{path}: there is no such database")
    try:
        return Store(url)
    except Exception as error:  # each database has its own; they name the server, not the password
        raise OSError(f"the database cannot be read: {error}") from None


class Store:
    """A connection. `with store.transaction():` commits as a whole or leaves nothing."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.postgres = url.startswith(POSTGRES)
        self._db: Any = self._postgres() if self.postgres else self._sqlite()
        self._make()

    def _sqlite(self) -> Any:
        path = self.url.removeprefix("sqlite:")
        if path != ":memory:":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")  # a confirmation is a promise: power may go now
        return db

    def _postgres(self) -> Any:
        import psycopg

        return psycopg.connect(self.url, autocommit=True)

    def _make(self) -> None:
        """Make the tables where they are missing; those who only read take no lock for it."""
        if not self._made():
            self._create()
        found = self.one("SELECT value FROM about WHERE name = 'schema'")
        if found["value"] != str(schema.VERSION):
            raise SystemExit(f"the database has schema {found['value']}, not {schema.VERSION}")

    def _made(self) -> bool:
        try:
            return bool(self.one("SELECT value FROM about WHERE name = 'schema'"))
        except Exception:  # each database has its own name for a missing table
            return False

    def _create(self) -> None:
        blob = "BYTEA" if self.postgres else "BLOB"
        with self.transaction():
            if self.postgres:
                self.run("SELECT pg_advisory_xact_lock(?)", SETUP_LOCK)
            for text in schema.TABLES:
                self.run(text.replace("{blob}", blob))
            self.run("INSERT INTO about VALUES ('schema', ?) ON CONFLICT DO NOTHING",
                     str(schema.VERSION))  # fmt: skip

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        if self.postgres:
            with self._db.transaction():
                yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def run(self, text: str, *values: Any) -> int:
        """Execute a statement; returns how many rows it touched."""
        return self._do(text, values).rowcount

    def many(self, text: str, rows: Iterable[tuple]) -> None:
        rows = list(rows)
        if rows:
            cursor = self._db.cursor()
            cursor.executemany(self._sql(text), rows)

    def all(self, text: str, *values: Any) -> list[dict[str, Any]]:
        cursor = self._do(text, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, map(_plain, row))) for row in cursor.fetchall()]

    def one(self, text: str, *values: Any) -> dict[str, Any]:
        """The only row, or an empty dict."""
        found = self.all(text, *values)
        return found[0] if found else {}

    def _sql(self, text: str) -> str:
        return text.replace("?", "%s") if self.postgres else text

    def _do(self, text: str, values: tuple) -> Any:
        return self._db.execute(self._sql(text), values)

    def locked(self, table: str) -> dict[str, Any]:
        """The table's row, made when there is none, held until the transaction ends."""
        self.run("INSERT INTO tables (name) VALUES (?) ON CONFLICT DO NOTHING", table)
        tail = " FOR UPDATE" if self.postgres else ""
        return self.one("SELECT * FROM tables WHERE name = ?" + tail, table)

    def alarm(self, table: str, kind: str, about: str, now: float) -> None:
        """Count an alarm: the same one is one row, however often it comes."""
        self.run(
            "INSERT INTO alarms VALUES (?, ?, ?, 1, ?, ?) ON CONFLICT (name, kind, about)"
            " DO UPDATE SET count = alarms.count + 1, last_at = ?",
            table, kind, about, now, now, now,
        )  # fmt: skip

    def close(self) -> None:
        self._db.close()


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value
