/**
 * Terminals and tills, in a process of their own. A till creates intents at a fixed rate, whether or not the last ones have been paid; a
 * terminal taps as soon as it shows one. Orders and reports go over IPC.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '@cobro/contracts/secret.ts';
import { approvedCard } from '@cobro/testing/card-numbers.ts';
import type { Cardholder } from '../simulators/terminal/src/cardholder.ts';
import { runTerminal } from '../simulators/terminal/src/run-terminal.ts';
import type { Step } from '../simulators/terminal/src/step.ts';
import { serveOrders } from './drive.ts';

/** A terminal, and the key of the merchant that it belongs to. */
export interface Counter {
  apiKey: string;
  terminalCode: string;
  terminalKey: string;
}

export type Order =
  | { do: 'switch on'; baseUrl: string; counters: Counter[] }
  | { do: 'create'; baseUrl: string; counters: Counter[]; perSecond: number; seconds: number }
  | { do: 'switch off' };

export interface Report {
  created: number;
  notCreated: number;
  /** Intents that were created and not paid within 20 s after the last one. */
  notPaid: number;
  /** Attempts whose first answer was not their outcome. */
  unclear: number;
  firstFailure: string | undefined;
  /** Milliseconds from sending the create until the terminal has the intent. */
  createToTerminal: number[];
  /** Milliseconds from the tap until the terminal has the 201. */
  tapToConfirmed: number[];
}

const PAID_WITHIN_MS = 20_000;

let off = new AbortController();
let running: Promise<void>[] = [];
let waiting = 0;
let onStep: (step: Step) => void = () => {};

let customers = 0;
/** Each customer has a card of their own, because one card is not tapped at several terminals at once. */
const aCustomer: Cardholder = () => {
  const number = new Secret(approvedCard(++customers));
  return { does: 'pay', card: { number, expirationMonth: 12, expirationYear: 2039 }, entryMode: 'CONTACTLESS' };
};

async function switchOn(baseUrl: string, counters: Counter[]): Promise<void> {
  off = new AbortController();
  waiting = 0;
  running = [];
  for (const { terminalKey } of counters) {
    running.push(
      runTerminal({
        baseUrl,
        key: new Secret(terminalKey),
        cardholder: aCustomer,
        signal: off.signal,
        onStep: (step) => {
          if (step.kind === 'waiting') waiting++;
          onStep(step);
        },
      }),
    );
    // Spread over time, because each looks into the database once as it begins to wait.
    await sleep(1);
  }
  while (waiting < counters.length) await sleep(10);
}

async function switchOff(): Promise<void> {
  off.abort();
  await Promise.all(running);
}

async function create({ baseUrl, counters, perSecond, seconds }: Order & { do: 'create' }): Promise<Report> {
  const [sentAt, shownAt, tappedAt, paidAt] = [0, 1, 2, 3].map(() => new Map<string, number>()) as Times;
  const report: Report = {
    created: 0,
    notCreated: 0,
    notPaid: 0,
    unclear: 0,
    firstFailure: undefined,
    createToTerminal: [],
    tapToConfirmed: [],
  };
  const fail = (why: string) => (report.firstFailure ??= why);
  onStep = (step) => {
    if (step.kind === 'shown') shownAt.set(step.intent.id, step.at);
    else if (step.kind === 'tapped') tappedAt.set(step.intent.id, step.at);
    else if (step.kind === 'paid') paidAt.set(step.intent.id, step.at);
    else if (step.kind === 'unclear') report.unclear++;
    else if (step.kind === 'trouble') fail(`a terminal: ${JSON.stringify(step.result)}`);
    else if (step.kind === 'declined' || step.kind === 'refused' || step.kind === 'notCharged')
      fail(`a tap: ${JSON.stringify(step)}`);
  };
  const createOne = async (counter: Counter) => {
    const at = performance.now();
    try {
      sentAt.set(await createIntent(baseUrl, counter), at);
      report.created++;
    } catch (error) {
      report.notCreated++;
      fail(String(error));
    }
  };
  const begun = performance.now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    await sleep(Math.max(0, begun + (n * 1_000) / perSecond - performance.now()));
    sent.push(createOne(counters[n % counters.length] as Counter));
  }
  await Promise.all(sent);
  const isPaid = () => [...sentAt.keys()].every((id) => paidAt.has(id));
  for (const end = performance.now() + PAID_WITHIN_MS; !isPaid() && performance.now() < end;) await sleep(50);
  onStep = () => {};
  report.notPaid = [...sentAt.keys()].filter((id) => !paidAt.has(id)).length;
  report.createToTerminal = spans(sentAt, shownAt);
  report.tapToConfirmed = spans(tappedAt, paidAt);
  return report;
}

type Times = [Map<string, number>, Map<string, number>, Map<string, number>, Map<string, number>];

const spans = (from: Map<string, number>, to: Map<string, number>) =>
  [...from].flatMap(([id, begun]) => {
    const ended = to.get(id);
    return ended === undefined ? [] : [ended - begun];
  });

/** Returns the id of the intent. */
async function createIntent(baseUrl: string, { apiKey, terminalCode }: Counter): Promise<string> {
  const response = await fetch(`${baseUrl}/payment-intent`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 150.25, currency: 'MXN', externalId: randomUUID(), terminalCode }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`a create: ${response.status} ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

serveOrders(async (order: Order) => {
  if (order.do === 'create') return create(order);
  return order.do === 'switch on' ? switchOn(order.baseUrl, order.counters) : switchOff();
});
