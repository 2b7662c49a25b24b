"""One small module for each technique, or for a close family of them."""
