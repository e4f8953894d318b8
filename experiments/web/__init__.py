"""The table in a browser: `create_app` makes the web application that `kontor serve` runs."""
