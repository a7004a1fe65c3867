import { Secret } from '@cobro/contracts/secret.ts';
import { until } from '@cobro/testing/until.ts';
import { afterEach, expect, test } from '@jest/globals';
import { type Cardholder, cardholderWith } from './cardholder.ts';
import { runTerminal, type TerminalOptions } from './run-terminal.ts';
import { intentOf, type Line, openScriptedService, paidOf, refusal, type ScriptedService } from './api-under-test.ts';
import type { Step } from './step.ts';

const [first, second] = ['0199c1d2-0000-7000-8000-000000000001', '0199c1d2-0000-7000-8000-000000000002'];
const none = { status: 204, afterMs: 200 };
const offered = (id: string): Line => ({ status: 200, body: intentOf(id) });
const paid = { status: 201, body: paidOf(first) };

let service: ScriptedService;
let off: AbortController;
let running: Promise<void>;
let steps: Step[];

type Script = Parameters<typeof openScriptedService>[0];

async function switchOn(lines: Script, options: Partial<TerminalOptions> = {}): Promise<void> {
  service = await openScriptedService(lines);
  off = new AbortController();
  steps = [];
  running = runTerminal({
    baseUrl: service.baseUrl,
    key: new Secret('tk_1'),
    cardholder: cardholderWith(),
    signal: off.signal,
    onStep: (step) => steps.push(step),
    lookAgainMs: 20,
    ...options,
  });
}

afterEach(async () => {
  off.abort();
  await running;
  await service.shut();
});

const kinds = () => steps.map(({ kind }) => kind);
const seen = (kind: Step['kind'], times = 1) =>
  until(`${times} × ${kind}`, () => kinds().filter((one) => one === kind).length >= times);

test('a terminal waits, shows the intent, pays it, and waits again', async () => {
  await switchOn({ next: [none, offered(first), { status: 204, afterMs: 60_000 }], payment: [paid] });
  await seen('paid');
  await seen('waiting', 3);
  expect(kinds()).toEqual(['waiting', 'waiting', 'shown', 'tapped', 'paid', 'waiting']);
  expect(service.of('next')[0]).toMatchObject({
    url: '/api/terminal/v1/payment-intent/next?waitSeconds=25',
    key: 'tk_1',
  });
  const times = steps.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('each tap is an attempt of its own, and the next card follows a decline', async () => {
  const declined = { status: 402, body: refusal('CHARGE_DECLINED', { declineCode: 'insufficient_funds' }) };
  const cards = cardholderWith({ cards: ['insufficientFunds', 'approved'], entryMode: 'CHIP' });
  await switchOn({ next: [offered(first), none], payment: [declined, paid] }, { cardholder: cards });
  await seen('paid');
  expect(kinds().filter((kind) => kind !== 'waiting')).toEqual(['shown', 'tapped', 'declined', 'tapped', 'paid']);
  const bodies = service.of('payment').map(({ body }) => body);
  expect(bodies[0]?.['attemptId']).not.toBe(bodies[1]?.['attemptId']);
  expect(bodies.map(({ card }) => (card as { number: string }).number)).toEqual([
    '4000000000009995',
    '4242424242424242',
  ]);
  expect(bodies[1]).toMatchObject({ card: { emv: { '9F02': '000000025050', '5F2A': '0484' } } });
});

test('no step shows a card’s number', async () => {
  await switchOn({ next: [offered(first), none], payment: ['cut', paid] });
  await seen('paid');
  expect(JSON.stringify(steps)).not.toContain('4242424242424242');
});

test('an intent that is replaced while the cardholder thinks gives way to the new one', async () => {
  const thinking: Cardholder = ({ intent }, signal) =>
    intent.id === second ? { does: 'pay', ...cardOf() } : new Promise(() => signal.throwIfAborted());
  await switchOn(
    { next: [offered(first), offered(first), offered(second), none], payment: [{ status: 201, body: paidOf(second) }] },
    { cardholder: thinking },
  );
  await seen('paid');
  expect(kinds().filter((kind) => kind !== 'waiting')).toEqual(['shown', 'gone', 'shown', 'tapped', 'paid']);
  expect(service.of('payment').map(({ url }) => url.includes(second))).toEqual([true]);
});

test('an intent that is over is gone, and one of which a stopping service says "none" is not', async () => {
  const pending = { status: 200, body: { id: first, status: 'PENDING' } };
  const cancelled = { status: 200, body: { id: first, status: 'CANCELLED' } };
  await switchOn(
    { next: [offered(first), { status: 204 }], ask: [pending, pending, cancelled] },
    { cardholder: () => new Promise(() => {}) },
  );
  await seen('gone');
  expect(service.of('ask')).toHaveLength(3);
});

test('a cardholder who walks away pays nothing, and the terminal shows what replaces the intent', async () => {
  await switchOn(
    { next: [offered(first), offered(first), offered(second)] },
    { cardholder: cardholderWith({ does: 'walkAway' }) },
  );
  await seen('shown', 2);
  expect(kinds().slice(0, 4)).toEqual(['waiting', 'shown', 'walkedAway', 'shown']);
  expect(service.of('payment')).toEqual([]);
});

test('declining at the terminal is said until the service has heard it', async () => {
  await switchOn(
    {
      next: [offered(first), none],
      decline: ['cut', { status: 503, body: refusal('SERVICE_UNAVAILABLE') }, { status: 200, body: {} }],
    },
    { cardholder: () => ({ does: 'decline', reason: 'no money' }) },
  );
  await seen('cancelled');
  expect(service.of('decline').map(({ body }) => body)).toEqual(
    Array.from({ length: 3 }, () => ({ reason: 'no money' })),
  );
});

test('declining what has been decided meanwhile leaves it as it is', async () => {
  await switchOn(
    { next: [offered(first), none], decline: [{ status: 409, body: refusal('INTENT_NOT_PENDING') }] },
    { cardholder: cardholderWith({ does: 'decline' }) },
  );
  await seen('gone');
  expect(kinds()).not.toContain('cancelled');
});

test.each<[string, Line]>([
  ['401', { status: 401, body: refusal('UNAUTHORIZED') }],
  ['503', { status: 503, body: refusal('SERVICE_UNAVAILABLE') }],
  ['a page', { status: 200, page: '<h1>Hello</h1>' }],
  ['a cut connection', 'cut'],
])('after %s the terminal asks again with pauses that grow', async (_what, line) => {
  await switchOn({ next: [line] });
  await seen('trouble', 3);
  const pauses = steps.flatMap((step) => (step.kind === 'trouble' ? [step.pauseMs] : []));
  expect(pauses[0]).toBeGreaterThanOrEqual(125);
  expect(pauses[2]).toBeGreaterThanOrEqual(500);
});

test('a "none" that comes at once is no reason to ask without a pause', async () => {
  await switchOn({ next: [{ status: 204 }] });
  await seen('waiting', 4);
  const waits = steps.flatMap((step) => (step.kind === 'waiting' ? [step.at] : []));
  // The third pause is at least 100 ms, the first two at least 25 and 50.
  expect((waits[3] ?? 0) - (waits[0] ?? 0)).toBeGreaterThanOrEqual(174);
});

test('an intent that cannot be paid is not shown again without a pause', async () => {
  await switchOn({ next: [offered(first)], payment: [{ status: 409, body: refusal('INTENT_EXPIRED') }] });
  await seen('shown', 2);
  const [ended, again] = [steps.find(({ kind }) => kind === 'refused'), steps.findLast(({ kind }) => kind === 'shown')];
  expect((again?.at ?? 0) - (ended?.at ?? 0)).toBeGreaterThanOrEqual(249);
});

test('a gateway that comes back is noticed', async () => {
  await switchOn({ next: [none] });
  await seen('waiting');
  await service.shut();
  await seen('trouble');
  await service.open();
  await seen('back');
  expect(kinds().filter((kind) => kind === 'back')).toHaveLength(1);
});

test('switched off, the terminal leaves its poll at once', async () => {
  await switchOn({ next: ['silence'] });
  await until('a poll', () => service.of('next').length === 1);
  off.abort();
  await running;
  expect(kinds()).toEqual(['waiting']);
});

test('what is wrong with the cardholder is no reason to go on', async () => {
  await switchOn(
    { next: [offered(first)] },
    {
      cardholder: () => {
        throw new Error('no hands');
      },
    },
  );
  const failed = running;
  running = Promise.resolve();
  await expect(failed).rejects.toThrow('no hands');
});

function cardOf() {
  const card = { number: new Secret('4242424242424242'), expirationMonth: 12, expirationYear: 2039 };
  return { card, entryMode: 'CONTACTLESS' as const };
}
