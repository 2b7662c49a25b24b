"""The meaning of each rule, by name, stated independently and as plainly as possible."""
