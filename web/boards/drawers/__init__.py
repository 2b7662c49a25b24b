"""One small drawer for each kind of rule; `registry` has them by name."""
