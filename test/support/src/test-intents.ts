import type { Caller } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { createdPaymentIntent, nextIntent, paidIntent } from '@cobro/contracts/payment-intents.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { z } from 'zod';
import type { RunningServices } from './start-services.ts';
import { patiently } from './patiently.ts';
import { testMerchant } from './test-merchant.ts';

export type TestIntent = z.output<typeof createdPaymentIntent>;
export type ShownIntent = z.output<typeof nextIntent>;
export type Receipt = z.output<typeof paidIntent>;

export interface CallOptions {
  replica?: number;
  headers?: Record<string, string>;
}

type Of = { id: string };

export type TestIntents = Awaited<ReturnType<typeof testIntents>>;
export type TestTerminal = Awaited<ReturnType<TestIntents['terminal']>>;

/** What a terminal sends of a card. */
export const tappedCardBody = (number: string = testCards.approved) => ({
  number,
  expirationMonth: 12,
  expirationYear: 2032,
  entryMode: 'CONTACTLESS',
  // Tag 5A holds the number, as terminals send it.
  emv: { '9F02': '000000025000', '5F2A': '0484', '5A': number.length % 2 === 0 ? number : `${number}F` },
});

/**
 * A merchant with terminals, and its cashier's system. Requests are routed to intents as the gateway does it. `fees` must be false if
 * payments was not started.
 */
export async function testIntents(services: RunningServices, fees = true) {
  const merchant = await testMerchant(services, { fees });
  const { organizationId, caller } = merchant;
  const ask = (path: string, by: Caller, method: string, body?: unknown, options: CallOptions = {}) =>
    services.call('intents', { method, path, caller: by, ...(body === undefined ? {} : { body }), ...options });
  /** `body` is added to an amount of 250 and a new externalId. */
  const request = (body: object = {}, options?: CallOptions) =>
    ask('/payment-intent', caller, 'POST', { amount: 250, currency: 'MXN', externalId: newId(), ...body }, options);
  /** Like `request`. @throws if the answer is not 201 */
  const create = async (body?: object, options?: CallOptions) => {
    const answer = await patiently(() => request(body, options));
    if (answer.status !== 201) throw new Error(`the intent was not created: ${JSON.stringify(answer.body)}`);
    return answer.body as TestIntent;
  };
  const read = ({ id }: Of, options?: CallOptions) => ask(`/payment-intent/${id}`, caller, 'GET', undefined, options);
  const terminal = async () => {
    const id = newId();
    const code = `SN-${id}`;
    await services.db('intents').run(sql`
      insert into terminal (id, organization_id, serial_number, created_at)
      values (${id}, ${organizationId}, ${code}, now())`);
    const by: Caller = { kind: 'terminal', keyId: newId(), terminalId: id, organizationId };
    const at = (intent: Of) => `/terminal/v1/payment-intent/${intent.id}`;
    return {
      id,
      code,
      /** Waits for 0 s unless asked to wait. */
      next: (waitSeconds = 0, options?: CallOptions) =>
        ask(`/terminal/v1/payment-intent/next?waitSeconds=${waitSeconds}`, by, 'GET', undefined, options),
      /** `body` is added to a new attempt with this card, read without contact. */
      pay: (intent: Of, number?: string, body?: object, options?: CallOptions) =>
        ask(
          `${at(intent)}/payment`,
          by,
          'POST',
          { attemptId: newId(), card: tappedCardBody(number), ...body },
          options,
        ),
      decline: (intent: Of, options?: CallOptions) => ask(`${at(intent)}/decline`, by, 'POST', {}, options),
      ask: (intent: Of, options?: CallOptions) => ask(at(intent), by, 'GET', undefined, options),
    };
  };
  return {
    merchant,
    request,
    create,
    read,
    terminal,
    cancel: ({ id }: Of, options?: CallOptions) => ask(`/payment-intent/${id}/cancel`, caller, 'POST', {}, options),
    refund: ({ id }: Of, body: object = {}) =>
      services.call('payments', { method: 'POST', path: `/payment-intent/${id}/refund`, caller, body }),
    /** A new terminal with an open intent. */
    ready: async () => {
      const its = await terminal();
      return { terminal: its, intent: await create({ terminalCode: its.code }) };
    },
    /** The status that the cashier's system reads. */
    statusOf: async (intent: Of) => ((await read(intent)).body as { status: string }).status,
    /** The sales that the bank has approved so far. */
    sales: async () =>
      (await services.bank.operations()).filter(({ kind, outcome }) => kind === 'sale' && outcome === 'approved'),
  };
}
