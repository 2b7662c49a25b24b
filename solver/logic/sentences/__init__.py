"""What a deduction says, as a sentence that a person understands."""
