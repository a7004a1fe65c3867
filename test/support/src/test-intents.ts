import type { Caller } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { createdPaymentIntent, nextIntent, paidIntent } from '@cobro/contracts/payment-intents.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { z } from 'zod';
import type { BankOperation } from './bank-operations.ts';
import type { HttpAnswer, RunningServices } from './start-services.ts';
import { patiently } from './patiently.ts';
import { type TestMerchant, testMerchant } from './test-merchant.ts';

export type TestIntent = z.output<typeof createdPaymentIntent>;
export type ShownIntent = z.output<typeof nextIntent>;
export type Receipt = z.output<typeof paidIntent>;

export interface CallOptions {
  replica?: number;
  headers?: Record<string, string>;
}

/** A terminal of the merchant. Requests are routed to intents as the gateway does it. */
export interface TestTerminal {
  id: string;
  code: string;
  /** GET …/next. Waits for 0 s unless asked to wait. */
  next(waitSeconds?: number, options?: CallOptions): Promise<HttpAnswer>;
  /** POST …/payment. `body` is added to a new attempt with this card, read without contact. */
  pay(intent: { id: string }, number?: string, body?: object, options?: CallOptions): Promise<HttpAnswer>;
  decline(intent: { id: string }, options?: CallOptions): Promise<HttpAnswer>;
  ask(intent: { id: string }, options?: CallOptions): Promise<HttpAnswer>;
}

/** A merchant with terminals, and its cashier's system. */
export interface TestIntents {
  merchant: TestMerchant;
  terminal(): Promise<TestTerminal>;
  /** A new terminal with an open intent. */
  ready(): Promise<{ terminal: TestTerminal; intent: TestIntent }>;
  /** POST /payment-intent. `body` is added to an amount of 250 and a new externalId. */
  request(body?: object, options?: CallOptions): Promise<HttpAnswer>;
  /** Like `request`. @throws where the answer is not 201 */
  create(body?: object, options?: CallOptions): Promise<TestIntent>;
  read(intent: { id: string }, options?: CallOptions): Promise<HttpAnswer>;
  cancel(intent: { id: string }, options?: CallOptions): Promise<HttpAnswer>;
  refund(intent: { id: string }, body?: object): Promise<HttpAnswer>;
  /** The status that the cashier's system reads. */
  statusOf(intent: { id: string }): Promise<string>;
  /** What the bank has approved of sales so far. */
  sales(): Promise<BankOperation[]>;
}

/** What a terminal sends of a card. */
export const tappedCardBody = (number: string = testCards.approved) => ({
  number,
  expirationMonth: 12,
  expirationYear: 2032,
  entryMode: 'CONTACTLESS',
  // Tag 5A holds the number, as terminals send it.
  emv: { '9F02': '000000025000', '5F2A': '0484', '5A': number.length % 2 === 0 ? number : `${number}F` },
});

/** Where payments was not started, `fees` must be false. */
export async function testIntents(services: RunningServices, fees = true): Promise<TestIntents> {
  const merchant = await testMerchant(services, { fees });
  const { organizationId, caller } = merchant;
  const ask = (path: string, by: Caller, method: string, body?: unknown, options: CallOptions = {}) =>
    services.call('intents', { method, path, caller: by, ...(body === undefined ? {} : { body }), ...options });
  const request = (body: object = {}, options?: CallOptions) =>
    ask('/payment-intent', caller, 'POST', { amount: 250, currency: 'MXN', externalId: newId(), ...body }, options);
  const intents: TestIntents = {
    merchant,
    request,
    create: async (body, options) => {
      const answer = await patiently(() => request(body, options));
      if (answer.status !== 201) throw new Error(`the intent was not created: ${JSON.stringify(answer.body)}`);
      return answer.body as TestIntent;
    },
    read: ({ id }, options) => ask(`/payment-intent/${id}`, caller, 'GET', undefined, options),
    cancel: ({ id }, options) => ask(`/payment-intent/${id}/cancel`, caller, 'POST', {}, options),
    refund: ({ id }, body = {}) =>
      services.call('payments', { method: 'POST', path: `/payment-intent/${id}/refund`, caller, body }),
    terminal: async () => {
      const id = newId();
      const code = `SN-${id}`;
      await services.db('intents').run(sql`
        insert into terminal (id, organization_id, serial_number, created_at)
        values (${id}, ${organizationId}, ${code}, now())`);
      const by: Caller = { kind: 'terminal', keyId: newId(), terminalId: id, organizationId };
      const at = (intent: { id: string }) => `/terminal/v1/payment-intent/${intent.id}`;
      return {
        id,
        code,
        next: (waitSeconds = 0, options) =>
          ask(`/terminal/v1/payment-intent/next?waitSeconds=${waitSeconds}`, by, 'GET', undefined, options),
        pay: (intent, number, body, options) =>
          ask(
            `${at(intent)}/payment`,
            by,
            'POST',
            { attemptId: newId(), card: tappedCardBody(number), ...body },
            options,
          ),
        decline: (intent, options) => ask(`${at(intent)}/decline`, by, 'POST', {}, options),
        ask: (intent, options) => ask(at(intent), by, 'GET', undefined, options),
      };
    },
    ready: async () => {
      const terminal = await intents.terminal();
      return { terminal, intent: await intents.create({ terminalCode: terminal.code }) };
    },
    statusOf: async (intent) => ((await intents.read(intent)).body as { status: string }).status,
    sales: async () =>
      (await services.bank.operations()).filter(({ kind, outcome }) => kind === 'sale' && outcome === 'approved'),
  };
  return intents;
}
