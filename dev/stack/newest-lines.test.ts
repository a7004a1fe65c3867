import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@cobro/testing/until.ts';
import { keepNewestLines } from './newest-lines.ts';
import { openRun, type Run } from './run.ts';

const numbersIn = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => Number(/^line (\d+) x+$/.exec(line)?.[1]));

describe('a file of lines', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cobro-lines-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each([
    ['one\ntwo\nthree\n', 10, 'three\n'],
    ['one\ntwo\nthree\n', 9, 'three\n'],
    ['one\ntwo\nthree\n', 14, 'one\ntwo\nthree\n'],
    ['one\ntwo\nthree\n', 3, ''],
    ['uno\naño\n', 5, ''],
    ['uno\naño\n', 6, 'año\n'],
  ])('%j is cut to whole lines within %d bytes', (text, bytes, kept) => {
    const file = join(folder, 'lines');
    writeFileSync(file, text);
    keepNewestLines(file, bytes);
    expect(readFileSync(file, 'utf8')).toBe(kept);
    expect(readdirSync(folder)).toEqual(['lines']);
  });
});

// Writes a line of about 100 bytes every half millisecond, and the last one on TERM.
const TALKATIVE = `
  let n = 0;
  const talking = setInterval(() => { for (let i = 0; i < 10; i++) process.stdout.write('line ' + ++n + ' ' + 'x'.repeat(90) + '\\n'); }, 5);
  process.on('SIGTERM', () => { clearInterval(talking); process.stdout.write('line ' + ++n + ' last\\n', () => process.exit()); });`;

describe('the log of a process', () => {
  const KEPT = 200_000;
  let run: Run;
  beforeEach(() => {
    run = openRun(KEPT);
  });
  afterEach(() => run.stop());

  test('keeps its newest lines while the process goes on writing', async () => {
    const spawned = { command: process.execPath, args: ['-e', TALKATIVE], env: {}, cwd: tmpdir() };
    const child = run.spawn({ name: 'talkative', ...spawned });
    const file = (name: string) => join(run.folder, name);
    const older = () => statSync(file('talkative.1.log'), { throwIfNoEntry: false })?.mtimeMs;
    await until('the log has been started over', () => older() !== undefined);
    const first = older();
    await until('the log has been started over again', () => older() !== first);
    child.kill('SIGTERM');
    await until('it has ended', () => child.exitCode !== null);

    const kept = ['talkative.1.log', 'talkative.log'].map((name) => readFileSync(file(name), 'utf8')).join('');
    expect(kept).toMatch(/\nline \d+ last\n$/);
    const numbers = numbersIn(kept.replace(/line \d+ last\n$/, ''));
    // Every line is whole, in order, and the oldest ones have gone.
    expect(numbers.filter((number) => !Number.isInteger(number))).toEqual([]);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers[0]).toBeGreaterThan(1);
    expect(Number(/line (\d+) last/.exec(kept)?.[1])).toBeGreaterThan(numbers.at(-1) ?? 0);
    expect(
      readdirSync(run.folder)
        .filter((name) => name.startsWith('talkative'))
        .toSorted(),
    ).toEqual(['talkative.1.log', 'talkative.log']);
  });
});
