"""The bridge: a WebSocket server on this machine that the userscript for f-puzzles talks to.

The protocol is that of dclamage's SudokuSolver and its userscript Fpuzzles-SudokuSolver. Each
request has a number (`nonce`), which its responses repeat.
"""
