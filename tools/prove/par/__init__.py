"""The exact price of every wager: all deals enumerated, settled by the firmware itself."""
