"""The schemas of responses, from which the OpenAPI document is generated."""
