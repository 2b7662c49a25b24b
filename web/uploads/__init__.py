"""From the body of a request to a job."""
