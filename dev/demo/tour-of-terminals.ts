import { setTimeout as sleep } from 'node:timers/promises';
import { testCard } from '../../simulators/terminal/src/card.ts';
import type { Cardholder } from '../../simulators/terminal/src/cardholder.ts';
import { runTerminal } from '../../simulators/terminal/src/run-terminal.ts';
import type { Step } from '../../simulators/terminal/src/step.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import type { StackTerminal } from '../stack/create-terminal.ts';
import { type Merchant, TourError } from './merchant.ts';
import { faint, heading, say } from './print.ts';
import { until } from './until.ts';

/** At the counter: a till creates intents, and a terminal of the same merchant takes the cards. */
export async function takeTourOfTerminals(
  merchant: Merchant,
  { baseUrl, terminal: { code, key } }: { baseUrl: string; terminal: StackTerminal },
): Promise<void> {
  const steps = openSteps();
  const off = new AbortController();
  const terminal = runTerminal({
    baseUrl,
    key: new Secret(key),
    cardholder,
    lookAgainMs: 200,
    signal: off.signal,
    onStep: (step) => {
      printStep(step);
      steps.add(step);
    },
  });
  try {
    await Promise.race([terminal, payAtTheCounter(merchant, code, steps.next)]);
  } finally {
    off.abort();
    await terminal;
  }
}

/** Walks away from the wrong amount, pays the right one with the second card, and turns down what nobody ordered. */
const cardholder: Cardholder = ({ intent: { externalId }, declines }) => {
  if (externalId === 'ticket-1') return { does: 'walkAway' };
  if (externalId === 'ticket-3') return { does: 'decline', reason: 'not ordered' };
  const card = declines === 0 ? testCard('insufficientFunds') : testCard('approved');
  return { does: 'pay', card, entryMode: declines === 0 ? 'CONTACTLESS' : 'CHIP' };
};

async function payAtTheCounter(
  merchant: Merchant,
  terminalCode: string,
  next: (kind: Step['kind'], externalId: string) => Promise<void>,
): Promise<void> {
  const create = (externalId: string, amount: number, where: { terminalCode?: string }) => {
    const body = { amount, currency: 'MXN', externalId, ...where } as const;
    return merchant(201, ({ paymentIntents }) => paymentIntents.create(body), 'status', 'amount', 'externalId');
  };
  const read = (id: string, ...show: string[]) =>
    merchant(200, ({ paymentIntents }) => paymentIntents.get(id), 'status', ...show);

  heading('A payment intent with a wrong amount, and the one that supersedes it on the terminal');
  const wrong = await create('ticket-1', 1855, { terminalCode });
  await next('shown', 'ticket-1');
  const right = await create('ticket-2', 185.5, { terminalCode });
  await next('paid', 'ticket-2');
  await read(wrong.id);
  await read(right.id, 'paymentSummary.status', 'paymentSummary.operationCode');

  heading('Refund it; decline another one at the terminal');
  await merchant(200, ({ paymentIntents }) => paymentIntents.refund(right.id), 'status', 'amount');
  await read(right.id, 'paymentSummary.status');
  const any = await create('ticket-3', 40, {});
  await next('cancelled', 'ticket-3');
  await read(any.id);
  await merchant(200, ({ paymentIntents }) => paymentIntents.cancel(any.id));
  await until(async () => {
    const query = { paymentIntentId: right.id, status: 'REFUNDED' } as const;
    const { data } = await merchant(200, ({ call }) => call('listDeveloperPayments', { query }), 'data');
    return data.length === 1;
  });
}

/** Keeps all steps, so that `next` also finds one that has happened already. */
function openSteps() {
  const happened: Step[] = [];
  return {
    add: (step: Step) => void happened.push(step),
    next: async (kind: Step['kind'], externalId: string): Promise<void> => {
      const isIt = (step: Step) => step.kind === kind && 'intent' in step && step.intent.externalId === externalId;
      for (const end = performance.now() + 30_000; !happened.some(isIt); await sleep(20)) {
        if (performance.now() > end)
          throw new TourError(`the terminal has not said "${kind}" of ${externalId} in 30 s`);
      }
    },
  };
}

function printStep(step: Step): void {
  const print = (text: string) => say(`  ${faint(`terminal: ${text}`)}`);
  switch (step.kind) {
    case 'shown':
      return print(
        `shows MXN ${step.intent.amount.toFixed(2)} of ${step.intent.organization.name}, ${step.intent.externalId}`,
      );
    case 'tapped':
      return print(`card ending in ${step.lastFourDigits}, ${step.entryMode}`);
    case 'declined':
      return print(`declined, ${step.declineCode}`);
    case 'paid':
      return print(
        `paid, operation ${step.paid.operationCode}, ${step.paid.card.network} ${step.paid.card.lastFourDigits}`,
      );
    case 'cancelled':
      return print('turns the intent down');
    case 'walkedAway':
      return print('nobody holds a card to it');
    case 'refused':
    case 'trouble':
    case 'unclear':
    case 'notCharged':
      return print(`${step.kind}, which the tour does not expect`);
    case 'waiting':
    case 'gone':
    case 'back':
      return undefined;
  }
}
