"""The exact price of every wager: what each bet costs, enumerated, settled by the firmware itself."""
