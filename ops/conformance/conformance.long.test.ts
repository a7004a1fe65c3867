import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NODE_ARGUMENTS } from '@cobro/service-kit/node-arguments.ts';
import { type RunningBank, startBank } from '@cobro/testing/start-bank.ts';
import { openTestClock, type TestClock } from '@cobro/testing/test-clock.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { sentences, type Tried, tryAll } from './conformance.ts';

const tokens = ['the-token-until-now', 'the-token-from-now-on'];

let clock: TestClock;
beforeAll(async () => {
  clock = await openTestClock();
});
afterAll(() => clock.close());

const startWith = (env: Record<string, string>) =>
  startBank({ CLOCK_URL: clock.url, ACCEPTED_TOKENS: tokens.join(','), ...env });

async function tryAt(bank: RunningBank, ...only: string[]): Promise<Tried[]> {
  const restart = async () => {
    await bank.kill();
    await bank.start();
  };
  const moveClock = async (to: Date | undefined) => {
    const offsetMs = to === undefined ? 0 : to.getTime() - Date.now();
    const headers = { 'content-type': 'application/json' };
    await fetch(`${bank.url}/internal/clock`, { method: 'PUT', headers, body: JSON.stringify({ offsetMs }) });
  };
  const all: Tried[] = [];
  for await (const one of tryAll({ url: bank.url, tokens, only, restart, moveClock })) all.push(one);
  return all;
}

describe('the simulator', () => {
  let bank: RunningBank;
  beforeAll(async () => {
    bank = await startWith({});
  });
  afterAll(() => bank.close());

  test('keeps every sentence of the protocol', async () => {
    const all = await tryAt(bank);
    expect(all.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(all.map(({ name }) => name)).toEqual(sentences.map(({ name }) => name));
  });

  /** Runs the program as an adapter's author does. */
  async function run(env: Record<string, string>, ...args: string[]) {
    const { NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, [...NODE_ARGUMENTS, packedFile('ops/conformance/main.ts'), ...args], {
      env: { NODE_COMPILE_CACHE, ...env },
      stdio: 'pipe',
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, text };
  }

  test('is tried by a command that prints a line a sentence, and ends with 2 where one could not be tried', async () => {
    const given = { ACQUIRER_TOKENS: tokens.join(',') };
    const asked = ['--url', bank.url, '--only', 'both-tokens', '--only', 'same-key'];
    const passed = await run(given, ...asked);
    expect(passed.code).toBe(0);
    expect(passed.text).toMatch(/^passed +both-tokens +While a token turns.*\npassed +same-key .*\n$/);
    const notTried = await run(given, '--url', bank.url, '--only', 'restart-closed');
    expect(notTried.code).toBe(2);
    expect(notTried.text).toMatch(/^NOT TRIED +restart-closed .*\n +needs --restart\n$/);
  });
});

test.each([
  ['forgetsKeysAtRestart', 'restart-between'],
  ['forgetsClosedKeysAtRestart', 'restart-closed'],
  ['answersRepeatsAfresh', 'same-key'],
  ['closesNothing', 'close-before'],
  ['closesWhatWasDecided', 'close-after'],
  ['takesUsedKeys', 'key-reused'],
  ['movesTwiceAtOnce', 'same-key-at-once'],
  ['capturesTwice', 'capture-once'],
  ['capturesAbove', 'capture-above'],
  ['refundsAbove', 'refund-in-parts'],
  ['neverExpires', 'expiry'],
  ['letsGoTooEarly', 'expiry'],
  ['spendsNoToken', 'single-use'],
  ['reportsWrongAmounts', 'settlement-report'],
  ['asksForNoToken', 'token-needed'],
  ['refusesRecurring', 'recurring'],
  ['approvesParts', 'exact-amount'],
])('a bank that %s breaks the sentence %s', async (PLANTED_BUG, name) => {
  const bank = await startWith({ PLANTED_BUG });
  try {
    expect(await tryAt(bank, name)).toMatchObject([{ name, outcome: 'FAILED' }]);
  } finally {
    await bank.close();
  }
});
