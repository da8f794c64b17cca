"""What builds the firmware and a release."""
