"""The collector: records from the broker into the database; a table hears of it after the commit.

It keeps nothing that matters: what was not committed is not confirmed, and comes again. So it may
be killed at any moment, and on PostgreSQL several may run at once.
"""

from __future__ import annotations

import json
import queue
import ssl
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any, Callable

from . import wire
from .ledger import Ledger
from .store import Store

BATCH = 200  # records in one commit
GATHER_S = 0.02  # more may come while a commit is prepared
KEEPALIVE_S = 30
MESSAGE_MAX = 8192  # a segment, its head and MAC are shorter
QUEUE_MAX = 20_000  # what does not fit comes again


class Keys:
    """{table: key} from a JSON file; keys are 64 hexadecimal digits."""

    @staticmethod
    def read(path: Path) -> dict[str, bytes]:
        try:
            # Also as editors save it, with a mark before the text.
            found = json.loads(path.read_text(encoding="utf-8-sig"))
            return {name: bytes.fromhex(key) for name, key in found.items()}
        except (AttributeError, TypeError, ValueError):
            form = '{"TABLE": "64 hexadecimal digits", ...}, saved as UTF-8'
            raise ValueError(f"{path} is no file of keys, which is {form}") from None

    @staticmethod
    def held(path: Path) -> dict[str, bytes]:
        """Of a file that may not be there yet."""
        return Keys.read(path) if path.exists() else {}

    @staticmethod
    def add(path: Path, name: str, key: bytes | None) -> None:
        """Puts a table's key into the file; None takes it out."""
        held = {**Keys.held(path), name: key}
        found = {each: known.hex() for each, known in held.items() if known is not None}
        new = path.with_name(path.name + ".new")
        new.touch(mode=0o600)
        new.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        new.replace(path)


class Collector:
    """`start()`, then it works in two threads until `stop()`."""

    def __init__(
        self,
        broker: tuple[str, int],
        open_store: Callable[[], Store],
        keys: dict[str, bytes],
        login: tuple[str, str] | None = None,
        tls: bool = False,
        authority: Path | None = None,
    ) -> None:
        import paho.mqtt.client as paho

        self._open_store, self._keys = open_store, keys
        self._inbox: queue.Queue[tuple[str, str, bytes] | None] = queue.Queue(QUEUE_MAX)
        self._broker = broker
        self.taken = 0
        self.dropped = 0
        self._stored = ""  # what keeps the database away
        self._line = f"no connection to the broker {broker[0]}:{broker[1]} yet"
        name = f"felt-pit-{uuid.uuid4().hex[:12]}"
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2, name)
        self._client.on_connect = self._connected
        self._client.on_connect_fail = self._failed
        self._client.on_disconnect = self._lost
        self._client.on_message = self._message
        self._client.reconnect_delay_set(1, 15)
        if login:
            self._client.username_pw_set(*login)
        if tls:
            self._client.tls_set(str(authority) if authority else None,
                                 cert_reqs=ssl.CERT_REQUIRED)  # fmt: skip
        self._worker = threading.Thread(target=self._work, name="collector", daemon=True)

    def start(self) -> None:
        self._worker.start()
        self._client.connect_async(*self._broker, keepalive=KEEPALIVE_S)
        self._client.loop_start()

    def stop(self) -> None:
        self._client.loop_stop()
        self._client.disconnect()
        self._inbox.put(None)
        self._worker.join()

    @property
    def trouble(self) -> str:
        """Why nothing is collected or stored, for people; empty while all is well."""
        return "; ".join(each for each in (self._line, self._stored) if each)

    def _connected(self, client: Any, _data: Any, _flags: Any, reason: Any, _props: Any) -> None:
        if reason.is_failure:
            self._line = f"the broker refuses the collector: {reason}"
            return
        self._line = ""
        client.subscribe([(wire.topic("+", wire.OUT), 0), (wire.topic("+", wire.LINE), 0)])

    def _failed(self, _client: Any, _data: Any) -> None:
        error = sys.exc_info()[1]
        self._line = f"the broker {self._broker[0]}:{self._broker[1]} cannot be reached" + (
            f": {error}" if error else ""
        )

    def _lost(self, _client: Any, _data: Any, _flags: Any, reason: Any, _props: Any) -> None:
        if reason.is_failure and not self._line:
            self._line = f"the connection to the broker was lost: {reason}"

    def _message(self, _client: Any, _data: Any, message: Any) -> None:
        parts = message.topic.split("/")
        if len(parts) != 3 or len(message.payload) > MESSAGE_MAX:
            return
        try:
            self._inbox.put_nowait((parts[2], parts[1], message.payload))
        except queue.Full:
            self.dropped += 1

    def _work(self) -> None:
        """Batches, one commit each; a database that is away is waited for."""
        ledger = None
        batch: list[tuple[str, str, bytes]] | None = []
        while batch is not None:
            try:
                ledger = ledger or self._opened()
                self._commit(ledger, batch)
                self._stored = ""
            except Exception as error:
                self._stored = f"the database cannot be written: {error!r}"
                if ledger:
                    _close(ledger.store)
                ledger = None
                time.sleep(1)
            batch = self._batch()
        if ledger:
            ledger.store.close()

    def _opened(self) -> Ledger:
        ledger = Ledger(self._open_store(), self._keys)
        with ledger.store.transaction():
            ledger.expect()
        return ledger

    def _batch(self) -> list[tuple[str, str, bytes]] | None:
        first = self._inbox.get()
        if first is None:
            return None
        batch = [first]
        end = time.monotonic() + GATHER_S
        while len(batch) < BATCH:
            try:
                each = self._inbox.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                break
            if each is None:
                self._inbox.put(None)
                break
            batch.append(each)
        return batch

    def _commit(self, ledger: Ledger, batch: list[tuple[str, str, bytes]]) -> None:
        """Rows are locked in the order of names: two collectors never wait for each other."""
        now = time.time()
        batch.sort(key=lambda each: each[1])
        answers = set()
        with ledger.store.transaction():
            for way, name, payload in batch:
                if way == wire.LINE:
                    ledger.line(name, payload.decode(errors="replace"), now)
                elif ledger.take(name, payload, now):
                    answers.add(name)
        self.taken += len(batch)
        for name in answers:
            self._client.publish(wire.topic(name, wire.IN), ledger.confirmation(name))


def _close(store: Store) -> None:
    try:
        store.close()
    except Exception:
        pass  # it was away
