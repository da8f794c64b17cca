# What every image has frozen in. `make image` puts build/frozen beside it; with a MicroPython tree
# of your own, `make frozen` first, then in ports/rp2: make BOARD=NAME BOARD_DIR=<here>/NAME
include("$(MPY_DIR)/extmod/asyncio")
try:
    require("neopixel")  # micropython-lib's; the tree that is made of packages has none of it
except ValueError:
    module("neopixel.py", base_path="../firmware")
package("felt", base_path="../firmware")
module("_boot.py", base_path="../firmware")
module("boot.py", base_path="../firmware")
module("main.py", base_path="../firmware")
module("lang_en.py", base_path="../build/frozen")
module("felt_release.py", base_path="../build/frozen")
