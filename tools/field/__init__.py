"""What a technician runs at a real table: the command `felt`.

This room is also the Python package `felt_field` of the wheel a release carries, so its modules
import each other relatively and nothing else of the checkout.
"""

from .places import reach_firmware

reach_firmware()
