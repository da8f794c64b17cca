# Frozen into this board's image, with what every board has.
include("../manifest.py")
module("board.py")
