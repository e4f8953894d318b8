"""Small games with known answers, each one file."""
