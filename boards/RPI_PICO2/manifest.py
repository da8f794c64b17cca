# For an image with the firmware frozen in: in MicroPython's ports/rp2,
# make BOARD=... FROZEN_MANIFEST=<this file>. The bundle needs none of this.
include("$(PORT_DIR)/boards/manifest.py")
require("neopixel")
package("felt", base_path="../../firmware")
module("boot.py", base_path="../../firmware")
module("main.py", base_path="../../firmware")
module("board.py")
