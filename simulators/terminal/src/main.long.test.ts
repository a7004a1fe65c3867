import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@cobro/testing/until.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { intentOf, type Line, openScriptedService, paidOf, refusal, type ScriptedService } from './api-under-test.ts';

const id = '0199c1d2-0000-7000-8000-000000000001';
const offered = { status: 200, body: intentOf(id) };
const none = { status: 204, afterMs: 300 };
const paid = { status: 201, body: paidOf(id) };

let folder: string;
let service: ScriptedService | undefined;
let child: ChildProcess | undefined;
let output: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cobro-terminal-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  child = undefined;
  await service?.shut();
  service = undefined;
  rmSync(folder, { recursive: true });
});

interface Start {
  args?: string[];
  env?: Record<string, string>;
  /** The stack's record: by default the scripted service's; null for none. */
  record?: object | null;
}

/** Starts the terminal as `npm run terminal` does, with a pipe for its keys. */
function start({ args = [], env = {}, record }: Start = {}) {
  const stack =
    record === undefined ? { baseUrl: service?.baseUrl, terminalCode: 'CAJA-1', terminalKey: 'tk_1' } : record;
  const file = join(folder, 'demo.json');
  if (stack !== null) writeFileSync(file, JSON.stringify(stack));
  const own = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts'), ...args],
    {
      env: { STACK_FILE: file, ...env },
      stdio: 'pipe',
    },
  );
  child = own;
  output = '';
  own.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  own.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    keys: (letters: string) => own.stdin.end([...letters].map((letter) => `${letter}\n`).join('')),
    press: (letter: string) => own.stdin.write(`${letter}\n`),
    ended: once(own, 'close').then(([code]) => code as number | null),
    kill: (signal: NodeJS.Signals) => own.kill(signal),
  };
}

/** Waits for a sentence, wherever its lines break. */
const says = (text: string) => until(`the screen says ${text}`, () => output.replaceAll(/\s+/g, ' ').includes(text));

test('a tap by a script: the intent, then the receipt, then the end of the script', async () => {
  service = await openScriptedService({ next: [none, offered, none], payment: [paid] });
  const terminal = start({ args: ['CAJA-1'] });
  terminal.keys('t');
  expect(await terminal.ended).toBe(0);
  expect(output).toContain('The input is not a keyboard, so the first letter of each line counts as a key.');
  expect(output).toMatch(
    /Café Tacuba\n {2}MXN 250\.50\n {2}Reference order-100[^]*PAID\n {2}Café Tacuba\n {2}MXN 250\.50\n {2}VISA ending in 4242, contactless\n {2}Operation 100123\n/,
  );
});

test('nothing that is printed has more than 79 columns, a colour or a card’s number', async () => {
  service = await openScriptedService({ next: [offered, none], payment: ['cut', paid] });
  const terminal = start();
  terminal.keys('i');
  expect(await terminal.ended).toBe(0);
  expect(Math.max(...output.split('\n').map((line) => [...line].length))).toBeLessThan(80);
  expect(output).not.toMatch(/[^\n\P{C}]/u);
  expect(output).not.toMatch(/\d{12}/);
});

test('a card is chosen, declined with its reason, and another one is taken', async () => {
  const declined = { status: 402, body: refusal('CHARGE_DECLINED', { declineCode: 'insufficient_funds' }) };
  service = await openScriptedService({ next: [offered, none], payment: [declined, paid] });
  const terminal = start();
  terminal.keys('3i1s');
  expect(await terminal.ended).toBe(0);
  expect(output).toMatch(
    /DECLINED: there is not enough money on the card \(insufficient_funds\)[^]*Card: approved, ending in 4242[^]*PAID/,
  );
  const cards = service.of('payment').map(({ body }) => body['card'] as { number: string; entryMode: string });
  expect(cards.map(({ number, entryMode }) => `${number} ${entryMode}`)).toEqual([
    '4000000000009995 CHIP',
    '4242424242424242 MAGNETIC_STRIPE',
  ]);
});

test.each<[string, string, RegExp, string]>([
  ['d', 'declines', /Declined at the terminal/, 'decline'],
  ['w', 'walks away', /The cardholder walks away/, 'next'],
])('%s %s', async (key, _does, sentence, what) => {
  service = await openScriptedService({ next: [offered, none], decline: [{ status: 200, body: {} }] });
  const terminal = start();
  terminal.keys(key);
  expect(await terminal.ended).toBe(0);
  expect(output).toMatch(sentence);
  expect(service.of(what)).not.toEqual([]);
  expect(service.of('payment')).toEqual([]);
});

test('a key that means nothing is named, and q switches off', async () => {
  service = await openScriptedService({ next: [none] });
  const terminal = start();
  terminal.press('x');
  await says('x is no key of this terminal.');
  terminal.press('q');
  expect(await terminal.ended).toBe(0);
});

describe('where there is no terminal to be', () => {
  test.each<[string, Start, RegExp, number]>([
    ['no stack runs', { record: null }, /^No stack runs from this checkout[^\n]*\n$/, 78],
    ['the record is not complete', { record: { apiKey: 'sk' } }, /^No stack runs[^\n]*\n$/, 78],
    ['an unknown option', { args: ['--fast'] }, /^Unknown argument --fast:[^\n]*\n$/, 64],
    ['a second argument', { args: ['CAJA-1', 'tap'] }, /^Unknown argument tap:[^\n]*\n$/, 64],
    ['another terminal without its key', { args: ['CAJA-2'] }, /^[^\n]*TERMINAL_KEY[^\n]*CAJA-2[^\n]*\n$/, 78],
    [
      'a stack without a terminal',
      { record: { baseUrl: 'http://127.0.0.1:9/api' } },
      /^This stack has no terminal[^\n]*\n$/,
      78,
    ],
  ])('%s: one sentence', async (_what, how, sentence, exitCode) => {
    service = await openScriptedService({});
    expect(await start(how).ended).toBe(exitCode);
    expect(output).toMatch(sentence);
  });
});

test('another terminal is one whose key is given', async () => {
  service = await openScriptedService({ next: [none] });
  const terminal = start({ args: ['CAJA-2'], env: { TERMINAL_KEY: 'tk_2' } });
  await until('a poll', () => service?.of('next')[0]?.key === 'tk_2');
  expect(output).toContain('Terminal CAJA-2 at');
  terminal.press('q');
  expect(await terminal.ended).toBe(0);
});

test('a wrong key is said once, and ends with 1', async () => {
  service = await openScriptedService({ next: [{ status: 401, body: refusal('UNAUTHORIZED') }] });
  expect(await start().ended).toBe(1);
  expect(output).toMatch(/The key of terminal CAJA-1 was refused \(401 UNAUTHORIZED\)/);
  expect(service.of('next')).toHaveLength(1);
});

test('a gateway that is away is said once, and that it is back', async () => {
  service = await openScriptedService({ next: [none] });
  await service.shut();
  const terminal = start();
  await says('cannot be reached (ECONNREFUSED); trying again.');
  // Long enough for more than one try to fail.
  await sleep(1_500);
  await service.open();
  await says('The service answers again.');
  terminal.press('q');
  expect(await terminal.ended).toBe(0);
  expect(output.match(/cannot\s+be\s+reached/g)).toHaveLength(1);
});

test('switched off during a payment, the screen says that its outcome is not known', async () => {
  const never: Line[] = ['silence'];
  service = await openScriptedService({ next: [offered], payment: never });
  const terminal = start();
  terminal.press('t');
  await until('the tap', () => service?.of('payment').length === 1);
  terminal.kill('SIGTERM');
  expect(await terminal.ended).toBe(0);
  expect(output).toContain('Switched off before the outcome of the payment was known.');
});
