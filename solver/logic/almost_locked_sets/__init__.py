"""Almost locked sets (ALS): their search, their storage, and their use as nodes of chains."""
