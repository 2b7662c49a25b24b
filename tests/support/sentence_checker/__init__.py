"""An independent check of every sentence in an explanation.

The checker reads a sentence like a person: it knows the grid before the step and the words, but not
how the technique found the step. Two checks are independent of each other:

- `context` takes all cells, houses, and sums that a text names, and proves by exhaustive search
  that they alone imply the result.
- `claims` parses each sentence and checks what it claims about the candidates.
"""
