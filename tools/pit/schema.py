"""The database's tables, in the SQL that SQLite and PostgreSQL share."""

from __future__ import annotations

VERSION = 1
TABLES = (
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    # one row a table: how far it is stored, the machine folded that far, its newest heartbeat
    """CREATE TABLE IF NOT EXISTS tables (
        name TEXT PRIMARY KEY, epoch INTEGER NOT NULL DEFAULT 0,
        serial BIGINT NOT NULL DEFAULT 0, chain {blob}, logged BIGINT NOT NULL DEFAULT 0,
        state {blob}, sure INTEGER NOT NULL DEFAULT 0, settings TEXT NOT NULL DEFAULT '',
        start_no INTEGER NOT NULL DEFAULT -1, beat BIGINT NOT NULL DEFAULT 0,
        board TEXT NOT NULL DEFAULT '', phase INTEGER NOT NULL DEFAULT 255,
        round BIGINT NOT NULL DEFAULT 0, fault TEXT NOT NULL DEFAULT '',
        build TEXT NOT NULL DEFAULT '', config TEXT NOT NULL DEFAULT '',
        game TEXT NOT NULL DEFAULT '', label TEXT NOT NULL DEFAULT '', jackpot BIGINT,
        line TEXT NOT NULL DEFAULT '', seen DOUBLE PRECISION NOT NULL DEFAULT 0)""",
    # the journal itself: sealed segments, byte for byte as the table wrote them
    """CREATE TABLE IF NOT EXISTS segments (
        name TEXT NOT NULL, epoch INTEGER NOT NULL, serial BIGINT NOT NULL,
        round BIGINT NOT NULL, closes INTEGER NOT NULL, received DOUBLE PRECISION NOT NULL,
        chain {blob} NOT NULL, data {blob} NOT NULL, PRIMARY KEY (name, epoch, serial))""",
    # what the firmware's machine makes of a finished round
    """CREATE TABLE IF NOT EXISTS rounds (
        name TEXT NOT NULL, epoch INTEGER NOT NULL, serial BIGINT NOT NULL,
        round BIGINT NOT NULL, received DOUBLE PRECISION NOT NULL, settings TEXT NOT NULL,
        build TEXT NOT NULL, game TEXT NOT NULL, handle BIGINT, win BIGINT, void TEXT NOT NULL,
        jackpot BIGINT, hits BIGINT NOT NULL, PRIMARY KEY (name, epoch, serial))""",
    """CREATE TABLE IF NOT EXISTS payments (
        name TEXT NOT NULL, epoch INTEGER NOT NULL, serial BIGINT NOT NULL, line INTEGER NOT NULL,
        kind TEXT NOT NULL, seat INTEGER NOT NULL, wager TEXT NOT NULL, cents BIGINT NOT NULL,
        rule TEXT NOT NULL, PRIMARY KEY (name, epoch, serial, line))""",
    # the table's own state after a round, to compare the fold with
    """CREATE TABLE IF NOT EXISTS states (
        name TEXT NOT NULL, epoch INTEGER NOT NULL, serial BIGINT NOT NULL,
        state {blob} NOT NULL, PRIMARY KEY (name, epoch, serial))""",
    """CREATE TABLE IF NOT EXISTS entries (
        name TEXT NOT NULL, epoch INTEGER NOT NULL, serial BIGINT NOT NULL, seq BIGINT NOT NULL,
        code INTEGER NOT NULL, a BIGINT NOT NULL, b BIGINT NOT NULL, start_no INTEGER NOT NULL,
        seconds BIGINT NOT NULL, real BIGINT NOT NULL, received DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (name, epoch, serial))""",
    """CREATE TABLE IF NOT EXISTS documents (
        identity TEXT PRIMARY KEY, raw {blob} NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS alarms (
        name TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL, count BIGINT NOT NULL,
        first_at DOUBLE PRECISION NOT NULL, last_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (name, kind, about))""",
    "CREATE INDEX IF NOT EXISTS rounds_received ON rounds (received)",
)
