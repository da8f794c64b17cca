"""Serial links: frames, retransmission, shoe and terminal messages."""
