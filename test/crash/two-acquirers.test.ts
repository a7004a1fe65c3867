import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { HttpAnswer } from '@cobro/testing/start-services.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { testIntents, type TestIntents } from '@cobro/testing/test-intents.ts';
import { type TestLink, testLinks } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { until } from '@cobro/testing/until.ts';
import { anotherCard } from './another-card.ts';
import { startCrashStackOfTwo, untilFinal } from './crash-stack.ts';
import { everyPoint } from './points.ts';

jest.setTimeout(900_000);

let stack: Awaited<ReturnType<typeof startCrashStackOfTwo>>;
let intents: TestIntents;
/** The moved organization's cards: one at the first acquirer, one at the other. */
let cards: { default: string; other: string };

beforeAll(async () => {
  stack = await startCrashStackOfTwo();
  const { merchant, cardId } = stack.holds;
  intents = await testIntents(stack.services);
  await stack.two.use(merchant.organizationId, 'other');
  await stack.two.use(intents.merchant.organizationId, 'other');
  cards = { default: cardId, other: (await merchant.saveCard()).id };
});
afterAll(() => stack?.stop());

type Headers = Record<string, string>;
type Send = (headers?: Headers) => Promise<HttpAnswer>;

/** Prepares a request at which the service dies. It can be sent again, with the same externalId or for the same payment. */
interface Work {
  service: 'payments' | 'holds' | 'intents';
  prepare(): Promise<Send>;
}

const acquirers = ['default', 'other'] as const;

const worksAt = (acquirer: (typeof acquirers)[number]): [string, Work][] => {
  const card = () => cards[acquirer];
  const { holds } = stack;
  const charge = async (holdFunds: boolean): Promise<Send> => {
    const body = { amount: 70, holdFunds, externalId: newId() };
    const path = `/payment-method/${card()}/payment`;
    return (headers = {}) => holds.merchant.call({ method: 'POST', path, body, headers });
  };
  return [
    [`a charge at ${acquirer}`, { service: 'payments', prepare: () => charge(false) }],
    [`a hold at ${acquirer}`, { service: 'payments', prepare: () => charge(true) }],
    [
      `a refund at ${acquirer}`,
      {
        service: 'payments',
        prepare: async () => {
          const { id } = (await holds.merchant.charge(card())).body as Payment;
          const path = `/payment-method/${card()}/payment/${id}/refund`;
          return (headers = {}) => holds.merchant.call({ method: 'POST', path, body: {}, headers });
        },
      },
    ],
    [
      `a capture at ${acquirer}`,
      {
        service: 'holds',
        prepare: async () => {
          const held = await holds.place({}, card());
          return (headers = {}) => holds.capture(held, { amount: 40 }, { headers });
        },
      },
    ],
    [
      `a release at ${acquirer}`,
      {
        service: 'holds',
        prepare: async () => {
          const held = await holds.place({}, card());
          return (headers = {}) => holds.release(held, { headers });
        },
      },
    ],
  ];
};

/** With new cards, at the acquirer to which the organization has moved. */
const worksWithNewCards = (): [string, Work][] => [
  [
    'the saving of a card',
    {
      service: 'payments',
      prepare: async () => {
        const body = { externalId: newId(), card: cardBody(anotherCard()) };
        return (headers = {}) => stack.holds.merchant.call({ method: 'POST', path: '/payment-method', body, headers });
      },
    },
  ],
  [
    'a tap',
    {
      service: 'intents',
      prepare: async () => {
        const { terminal, intent } = await intents.ready();
        const attemptId = newId();
        const number = anotherCard();
        return (headers = {}) => terminal.pay(intent, number, { attemptId }, { headers });
      },
    },
  ],
];

testInFull(
  'every process dies around the calls to both acquirers: each request ends once, and our books equal both acquirers’',
  async () => {
    const works = [...acquirers.flatMap(worksAt), ...worksWithNewCards()];
    const sent: [string, Send][] = [];
    for (const [name, work] of works) {
      const dies = async (point: string) => {
        const send = await work.prepare();
        const hasDied = await stack.dies(work.service, point, send);
        if (hasDied) sent.push([`${name}, ${point}`, send]);
        return hasDied;
      };
      await everyPoint(dies, 'vary');
    }
    for (const [name, send] of sent) {
      const { status, body } = await untilFinal(send);
      const { code, declineCode } = body as { code?: string; declineCode?: string };
      const isNotSent = status === 402 && declineCode === 'not_processed';
      const wasDone = status === 409 && /ALREADY_REFUNDED|NOT_HELD/.test(code ?? '');
      expect({ name, status, isRight: status === 200 || status === 201 || isNotSent || wasDone }).toMatchObject({
        isRight: true,
      });
    }
    await stack.agree();
    const { services } = stack;
    const asked = await services.db('payments').many<{ acquirer: string; own: string }>(sql`
    select distinct o.acquirer, p.acquirer as own from bank_operation o join payment p on p.id = o.subject_id`);
    expect(asked.toSorted((a, b) => a.own.localeCompare(b.own))).toEqual(
      acquirers.map((acquirer) => ({ acquirer, own: acquirer })),
    );
  },
);

testInFull(
  'payments dies while a card goes to the fallback: one card is saved and each link is paid once, at one of both',
  async () => {
    const { two, holds, services } = stack;
    const links = await testLinks(services);
    for (const { merchant } of [holds, links]) await two.use(merchant.organizationId, 'other', 'default');
    const numbers = new Map<string, string>();
    const saving = (externalId: string): Send => {
      const number = numbers.get(externalId) ?? anotherCard();
      numbers.set(externalId, number);
      const body = { externalId, card: cardBody(number) };
      return (headers = {}) => holds.merchant.call({ method: 'POST', path: '/payment-method', body, headers });
    };
    const saved: string[] = [];
    const paid: TestLink[] = [];
    const diesSaving = async (point: string) => {
      saved.push(newId());
      return stack.dies('payments', point, saving(saved.at(-1) ?? ''));
    };
    const diesPaying = async (point: string) => {
      const link = await links.create();
      paid.push(link);
      return stack.dies('payments', point, (headers) => links.pay(link, anotherCard(), undefined, headers));
    };
    await two.other.kill();
    const deaths = [...(await everyPoint(diesSaving, 'vary')), ...(await everyPoint(diesPaying, 'vary'))];
    // There are fewer steps if an inquiry has already found the acquirer away.
    expect(deaths.length).toBeGreaterThan(1);
    await two.other.start();
    for (const externalId of saved) {
      const { status, body } = await untilFinal(saving(externalId));
      expect(status).toBe(201);
      expect(await holds.merchant.charge((body as { id: string }).id)).toMatchObject({ status: 201 });
    }
    for (const link of paid) {
      await until('the link is paid', async () => {
        const { status, body } = await links.pay(link, anotherCard());
        return status === 201 || (body as { code?: string }).code === 'ONE_TIME_PAYMENT_NOT_PENDING';
      });
    }
    await stack.agree();
    const kept = await services.db('payments').many<{ count: number }>(sql`
    select count(*)::int as count from payment_method
    where external_id = any(${saved}) and status = 'ACTIVE' group by external_id`);
    expect(kept).toEqual(saved.map(() => ({ count: 1 })));
    const confirmed = await services.db('payments').many<{ count: number }>(sql`
    select count(*)::int as count from payment
    where one_time_payment_id = any(${paid.map(({ id }) => id)}) and status = 'CONFIRMED' group by one_time_payment_id`);
    expect(confirmed).toEqual(paid.map(() => ({ count: 1 })));
  },
);
