// Runs Interactive Sudoku Solver from a clone of it, for variants.py.
//
// node interactive_sudoku_solver.mjs CHECKOUT list    prints the puzzles in the clone, one {name, input} per line
// node interactive_sudoku_solver.mjs CHECKOUT solve   reads one constraint string per line, as JSON, and prints
//     [milliseconds, solutions, backtracks] or the reason for failure. The time includes reading,
//     building, and solving the puzzle, and the search for a second solution.
import { createInterface } from 'node:readline';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.self = globalThis;
globalThis.VERSION_PARAM = '';
const [folder, mode] = process.argv.slice(2);
const checkout = pathToFileURL(resolve(folder) + '/');
const load = (path) => import(new URL(path, checkout));
const write = (row) => process.stdout.write(JSON.stringify(row) + '\n');

async function list() {
  const { PUZZLE_INDEX, resolvePuzzleConfig } = await load('data/example_puzzles.js');
  const collections = Object.values(await load('data/collections.js'));
  const puzzles = [...PUZZLE_INDEX.values(), ...collections.filter(Array.isArray).flat()];
  for (const puzzle of puzzles) {
    const { name, input } = await resolvePuzzleConfig(puzzle);
    if (input.endsWith('.js')) continue; // a program that generates a puzzle
    const text = input.startsWith('/')
      ? await readFile(new URL('.' + input, checkout), 'utf8')
      : input;
    write({ name, input: text });
  }
}

async function solve() {
  const { SimpleSolver } = await load('js/sandbox/simple_solver.js');
  const solver = new SimpleSolver();
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      const text = JSON.parse(line);
      const start = performance.now();
      const solutions = [...solver.solutions(text, 2)].length;
      const end = performance.now();
      write([end - start, solutions, solver.latestStats().backtracks]);
    } catch (error) {
      write(String(error.message ?? error));
    }
  }
}

await { list, solve }[mode]();
