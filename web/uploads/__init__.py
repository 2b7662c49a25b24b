"""Uploads: from the body of a request to a job."""
