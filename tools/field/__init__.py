"""What a technician runs at a real table: the command `felt`.

This room is also the Python package `felt_field` of the wheel a release carries, so its modules
import each other relatively and nothing else of the checkout. Nothing is loaded here: Ctrl-C would
be a traceback, which start.py answers.
"""
