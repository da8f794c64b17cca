"""The wheel display: pictures, motion, panel driver."""
