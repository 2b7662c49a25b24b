"""The web server: gunicorn's threads, with patience that ends and lanes that stay free."""
