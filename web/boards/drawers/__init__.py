"""One small renderer per kind of rule; `registry` maps rule names to renderers."""
