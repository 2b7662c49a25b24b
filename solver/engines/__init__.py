"""What finds solutions: the interface of an engine, and two of them."""
