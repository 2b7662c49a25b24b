"""What a graph of cells that differ cannot say: one small rule each, one registry."""
