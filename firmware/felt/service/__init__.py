"""The technician's side: self test, console, provisioning."""
