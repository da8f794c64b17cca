"""A table's finished rounds and the configurations they were played under, on flash.

Written only while no wager is on the felt: a flash write stops everything else.
"""

from felt.round.state import BET
from felt.store.area import VaultError


class History:
    """The half of a table that reads and writes flash."""

    def store_rounds(self):
        """Copy finished rounds and the configuration to flash; True when something was written."""
        if not (self.unstored and self.archive and self.resting()) or self.fault:
            return False
        self.unstored = False
        try:
            kept = bool(self.kept and self.document and self.kept.put(self.document))
            return bool(self.archive.add(self.vault)) or kept
        except OSError as e:
            self.note("archive", e.args[0] if e.args and isinstance(e.args[0], int) else 0)
            self._let_out([("alarm", "archive", 0, "")])
        except VaultError:
            self._fail("vault_chain")
        return False

    def rounds(self):
        """Yield finished rounds, newest first: from critical memory, then from flash."""
        for found in self.vault.rounds():
            yield found
        for found in self.archive.older(self.vault) if self.archive else ():
            yield found

    def settings_of(self, identity):
        """Return the settings document with this identity (8 bytes), None when it is not kept."""
        if identity == self.identity[8:16]:
            return self.document
        return self.kept.get(identity) if self.kept else None

    def may_configure(self):
        """True while settings may be replaced: no wager locked or waiting for it."""
        m = self.machine
        return m is None or (m.between and not any(m.bets))

    def resting(self):
        """True while flash may be written: no round open and no wager waiting for one."""
        m = self.machine
        return m is None or (m.between and m.phase != BET) or not any(m.bets)
