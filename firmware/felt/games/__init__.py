"""Rules as data and settlement, one file a game; nothing here does I/O."""


class SettingsError(Exception):
    """A setting that keeps the table closed: its name, and why as a text key."""

    def __init__(self, name, why):
        super().__init__(name, why)
        self.name = name
        self.why = why
