# What every image has frozen in. `make image` puts build/frozen beside it; with a MicroPython tree
# of your own, `make frozen` first, then in ports/rp2: make BOARD=NAME BOARD_DIR=<here>/NAME
include("$(MPY_DIR)/extmod/asyncio")
package("felt", base_path="../firmware")
module("_boot.py", base_path="../firmware")
module("boot.py", base_path="../firmware")
module("main.py", base_path="../firmware")
module("lang_en.py", base_path="../build/frozen")
module("felt_release.py", base_path="../build/frozen")
