"""The web server: gunicorn's threaded worker with idle timeouts and separate lanes of threads."""
