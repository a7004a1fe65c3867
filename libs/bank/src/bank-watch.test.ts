import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { startBank, type RunningBank, unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { until } from '@cobro/testing/until.ts';
import { openBank } from './bank-client.ts';
import type { Bank, BankRequest } from './bank.ts';
import { type WatchedBank, watchBank } from './bank-watch.ts';

const CALL_TIMEOUT_MS = 20_000;

let simulator: RunningBank;
const opened: WatchedBank[] = [];
beforeAll(async () => {
  simulator = await startBank();
});
afterAll(async () => {
  await simulator.close();
  await Promise.all(opened.map((bank) => bank.close()));
});

const card = { expirationMonth: 12, expirationYear: 2039, cvc: new Secret('123'), holderName: 'Ana' };
const saving = (number: string): BankRequest => ({
  kind: 'tokenize',
  use: 'saved',
  card: { ...card, number: new Secret(number) },
});
const merchants = [newId(), newId(), newId()] as const;

/** A process that calls the bank, what it has logged, and the questions that it has asked. */
function open() {
  const logged: string[] = [];
  const closes: boolean[] = [];
  const real = openBank({
    url: simulator.url,
    connections: 64,
    connectTimeoutMs: CALL_TIMEOUT_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
  });
  const inquire: Bank['inquire'] = (key, kind, close) => {
    closes.push(close);
    return real.inquire(key, kind, close);
  };
  const note = ({ event, reason }: { event?: string; reason?: string }) =>
    void logged.push(reason === undefined ? `${event}` : `${event}: ${reason}`);
  const bank = watchBank(
    { ...real, inquire },
    { acquirer: 'default', isLive: false, log: { error: note, warn: note, info: note } },
  );
  opened.push(bank);
  const send = (organizationId: string, request: BankRequest, deadline = performance.now() + CALL_TIMEOUT_MS) =>
    bank.send(newId(), request, deadline, { lane: 'live', organizationId });
  return { bank, logged, closes, send };
}

test('a bank that refuses connections is away until it takes them again, and is not asked to close a key', async () => {
  const { bank, logged, closes, send } = open();
  expect(await send(merchants[0], saving(testCards.approved))).toMatchObject({ outcome: 'approved' });
  await simulator.kill();
  // A call that was too late to be sent says nothing about the bank.
  const almostNow = performance.now() + 0.9;
  expect(await send(merchants[0], saving(testCards.approved), almostNow)).toEqual({ outcome: 'unreachable' });
  expect(bank.isAway()).toBe(false);
  // An earlier connection may break first, which is no refusal.
  await until('a call was refused', async () => {
    return (await send(merchants[0], saving(testCards.approved))).outcome === 'unreachable';
  });
  expect(bank.isAway()).toBe(true);
  await simulator.start();
  await until('it is back', () => !bank.isAway());
  expect(logged).toEqual(['bank_away: refused', 'bank_back']);
  expect(new Set(closes)).toEqual(new Set([false]));
});

test('is called live from the fifth call of a request within five seconds, until those are over', async () => {
  const { bank, send } = open();
  const deadline = performance.now() + CALL_TIMEOUT_MS;
  const inBackground = { lane: 'background', organizationId: null } as const;
  const save = saving(testCards.approved);
  const sent = merchants.flatMap((merchant) => [
    send(merchant, save),
    bank.send(newId(), save, deadline, inBackground),
  ]);
  sent.push(send(merchants[0], save));
  expect(bank.isCalledLive()).toBe(false);
  sent.push(send(merchants[0], save));
  expect(bank.isCalledLive()).toBe(true);
  await Promise.all(sent);
  await until('nobody calls any more', () => !bank.isCalledLive());
});

test('silence is away only where three merchants ask and nobody is answered for three seconds', async () => {
  const [cards, two, all] = [open(), open(), open()];
  const returned: string[] = [];
  all.bank.onReturn(() => returned.push('returned'));
  const saved = await cards.send(newId(), saving(testCards.silentDone));
  const token = saved.outcome === 'approved' ? saved.vaulted?.token : undefined;
  if (token === undefined) throw new Error('the card was not saved');
  const charged = { token, amount: 100n, initiatedBy: 'merchant', organizationId: newId() } as const;
  const sale: BankRequest = { kind: 'sale', ...charged, terms: 1 };
  await simulator.setFaults(unansweredInquiries);
  const begun = performance.now();
  // Each merchant has one silent card, and another merchant is answered.
  const sent = merchants.map((merchant) => cards.send(merchant, sale));
  // One merchant has many cards about which the bank is silent, and another one has some.
  sent.push(...[0, 0, 0, 0, 1, 1].map((n) => two.send(merchants[n] as string, sale)));
  sent.push(...merchants.map((merchant) => all.send(merchant, sale)));
  // At once, because a slow machine may take long to answer it.
  await cards.send(newId(), saving(testCards.approved));
  const isEarly = () => performance.now() - begun < 2_500;
  expect(all.bank.isAway() && isEarly()).toBe(false);
  await until('the bank is away', () => all.bank.isAway());
  expect(performance.now() - begun).toBeGreaterThan(2_900);
  await sleep(500);
  expect([cards.bank.isAway(), two.bank.isAway()]).toEqual([false, false]);

  // An error does not count as an answer, and there was no other.
  expect(all.closes.length).toBeGreaterThan(0);
  expect(returned).toEqual([]);
  await simulator.setFaults({});
  await until('it is back', () => !all.bank.isAway());
  expect(all.logged).toEqual(['bank_away: silent', 'bank_back']);
  expect(returned).toEqual(['returned']);
  expect([...cards.logged, ...two.logged]).toEqual([]);
  expect(new Set(all.closes)).toEqual(new Set([false]));
  await simulator.kill();
  await Promise.all(sent);
});
