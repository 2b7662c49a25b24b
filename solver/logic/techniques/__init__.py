"""The techniques: one small module per technique or family of closely related techniques."""
