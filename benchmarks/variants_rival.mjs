// Interactive Sudoku Solver, for variants.py, from a checkout of it:
//
// node variants_rival.mjs CHECKOUT list    writes its own puzzles, {name, input} a line
// node variants_rival.mjs CHECKOUT solve   reads a constraint string a line, as JSON, and writes
//     [milliseconds to read, build and solve it and look for a second solution, its solutions,
//     backtracks], or why it cannot
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
    if (input.endsWith('.js')) continue; // a program that writes a puzzle
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
