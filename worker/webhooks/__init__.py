"""Webhooks: one signed notification per job, sent when the job ends (Standard Webhooks)."""
