import '@cobro/testing/check-answers.ts';
import { type DataOf, type Envelope, newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { type OutwardEvent, type OutwardType, outwardTypes } from '@cobro/contracts/outward-events.ts';
import { fieldsOf } from '@cobro/contracts/payment-fields.ts';
import { sql } from '@cobro/postgres/database.ts';
import { about, approved, merchant, paymentFacts, rates } from '@cobro/testing/test-facts.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pruneEvents } from './prune-events.job.ts';
import { areaEvents, intentEvents, linkEvents, NOON, subscriptionEvents } from './test-events.ts';
import { startReplica, startWebhooks } from '../webhooks-under-test.ts';

let webhooks: Awaited<ReturnType<typeof startWebhooks>>;
let otherReplica: Awaited<ReturnType<typeof startReplica>>;
beforeAll(async () => {
  webhooks = await startWebhooks();
  otherReplica = await startReplica(webhooks.url);
});
afterAll(async () => {
  await otherReplica?.close();
  await webhooks?.close();
});

interface Page {
  data: OutwardEvent[];
  pagination: { limit: number; hasMore: boolean; nextCursor: string | null };
}

async function list(organizationId: string, query = ''): Promise<Page> {
  const { status, body } = await webhooks.ask(merchant(organizationId), `/event?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as Page;
}
const typesOf = ({ data }: Page) => data.map(({ type }) => type);

/** The event that payments publishes when a charge is paid. */
function confirmed(organizationId: string, time = NOON): Envelope {
  const data = { ...paymentFacts({ organizationId }), confirmedAt: time };
  return newEvent('PaymentConfirmed', { subject: data.paymentId, sequence: 1, time, data });
}

/** One event each of a payment, a hold's three endings, an intent and a card. */
function everyEvent(organizationId: string): Envelope[] {
  const facts = paymentFacts({ organizationId, externalId: 'order-7', terms: 3 });
  const of = { paymentId: facts.paymentId, organizationId };
  const { transaction } = facts;
  const state = {
    heldAmount: null,
    heldAt: null,
    holdExpiresAt: null,
    captureBefore: null,
    capturedAt: null,
    confirmedAt: NOON,
  };
  const payment = { ...fieldsOf(facts), ...state };
  const refund = { ...of, paymentIntentId: null, amount: facts.amount, refundedAt: NOON, reason: null, transaction };
  const holds = [1, 2, 3].map(() => paymentFacts({ organizationId }));
  const [captured, released, expired] = holds.map(({ paymentId }) => ({ paymentId, organizationId })) as never as {
    paymentId: string;
    organizationId: string;
  }[];
  const capture = { amount: 40_000n, capturedAt: NOON, rates, transaction: approved('capture-1', NOON.toISOString()) };
  const method: DataOf<'PaymentMethodSaved'> = {
    paymentMethodId: newId(),
    organizationId,
    lastFourDigits: '4242',
    network: 'VISA',
    externalId: 'ana',
    createdAt: NOON,
    savedAt: NOON,
  };
  const card = { subject: method.paymentMethodId, sequence: 1, time: NOON };
  return [
    about('PaymentConfirmed', { ...facts, confirmedAt: NOON }),
    about('PaymentRefunded', { ...refund, payment }),
    about('PaymentDeclined', { ...paymentFacts({ organizationId }), declinedAt: NOON, declineCode: 'no_funds' }),
    ...holds.map((hold) => about('HoldPlaced', { ...hold, captureBefore: NOON, heldAt: hold.createdAt })),
    about('HoldEnding', { ...captured!, endsAt: new Date('2026-11-27T05:00:00.000Z'), noticedAt: NOON }),
    about('HoldCaptured', { ...captured!, ...capture }),
    about('HoldReleased', { ...released!, releasedAt: NOON }),
    about('HoldExpired', { ...expired!, releasedAt: NOON }),
    ...intentEvents(organizationId),
    newEvent('PaymentMethodSaved', { ...card, data: method }),
    newEvent('PaymentMethodRevoked', { ...card, data: { ...method, revokedAt: NOON } }),
    newEvent('PaymentMethodExpired', { ...card, data: { ...method, expiredAt: NOON } }),
    ...linkEvents(organizationId),
    ...areaEvents(organizationId),
    ...subscriptionEvents(organizationId),
  ];
}

describe('GET /event', () => {
  test('has every type of event, oldest first, each about its object as its read shows it', async () => {
    const organizationId = newId();
    const events = everyEvent(organizationId);
    for (const event of events) await webhooks.receive(event);
    const { data, pagination } = await list(organizationId, 'limit=100');
    expect(pagination).toMatchObject({ limit: 100, hasMore: false });
    const ofOurs = outwardTypes.filter((type) => !type.startsWith('webhook_endpoint.'));
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(ofOurs));
    const dataOf = (type: OutwardType) => data.find((event) => event.type === type)?.data;
    expect(data[0]).toMatchObject({ type: 'payment.confirmed', organizationId, object: { type: 'payment' } });
    expect(dataOf('payment.confirmed')).toMatchObject({ amount: 1000, externalId: 'order-7', paidTerms: 1, fee: 2.5 });
    expect(dataOf('payment.refunded')).toMatchObject({
      status: 'REFUNDED',
      refundedAt: NOON.toISOString(),
      amount: 1000,
    });
    expect(dataOf('payment.declined')).toMatchObject({ status: 'CANCELLED', declineCode: 'no_funds', paidTerms: 0 });
    const captureBefore = NOON.toISOString();
    const placed = { status: 'HELD', heldAmount: 1000, holdDaysRemaining: 7, captureBefore };
    expect(dataOf('hold.placed')).toMatchObject(placed);
    const end = { heldAmount: 1000, holdDaysRemaining: null, holdExpired: false, captureBefore };
    expect(dataOf('hold.captured')).toMatchObject({ ...end, status: 'CONFIRMED', amount: 400, paidTerms: 1 });
    expect(dataOf('hold.released')).toMatchObject({
      ...end,
      status: 'HOLD_RELEASED',
      holdReleasedAt: NOON.toISOString(),
    });
    expect(dataOf('hold.expired')).toMatchObject({ ...end, status: 'HOLD_EXPIRED', capturedAt: null });
    expect(dataOf('payment_intent.confirmed')).toMatchObject({
      status: 'CONFIRMED',
      amount: 250,
      externalId: 'till-1',
      expired: false,
      paymentSummary: { status: 'CONFIRMED', operationCode: 100_007 },
    });
    expect(dataOf('hold.ending')).toMatchObject({ status: 'HELD', holdDaysRemaining: 7, capturedAt: null });
    expect(dataOf('one_time_payment.paid')).toMatchObject({
      status: 'CONFIRMED',
      amount: 1499,
      externalId: 'booking-7',
    });
    expect(dataOf('payment_method.revoked')).toMatchObject({ status: 'REVOKED', externalId: 'ana' });
    expect(dataOf('payment_link.sold_out')).toMatchObject({ status: 'SOLD_OUT', maxPayments: 12 });
    expect(data.filter(({ type }) => type === 'payment_link.sold_out')).toHaveLength(2);
    expect(dataOf('product.out_of_stock')).toMatchObject({ stock: 0 });
    expect(dataOf('promotion.accepted')).toMatchObject({ feeDiscount: 4.5, sponsor: { name: 'Fabricante' } });
  });

  test('shows an event that comes twice, or is retold, once and under one id', async () => {
    const organizationId = newId();
    const events = everyEvent(organizationId);
    await webhooks.receive(...events);
    const first = await list(organizationId, 'limit=100');
    await Promise.all([webhooks.receive(...events), otherReplica.receive(...events)]);
    await webhooks.receive(...events.map((event) => ({ ...event, id: newId() })));
    expect(await list(organizationId, 'limit=100')).toEqual(first);
    expect(first.data).toHaveLength(events.length);
  });

  test('is walked by its cursor, also behind its end', async () => {
    const organizationId = newId();
    const made = Array.from({ length: 7 }, () => confirmed(organizationId));
    for (const event of made) await webhooks.receive(event);
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let hasMore = true; hasMore;) {
      const page: Page = await list(organizationId, `limit=3${cursor === null ? '' : `&after=${cursor}`}`);
      seen.push(...page.data.map(({ object }) => object.id));
      ({ hasMore, nextCursor: cursor } = page.pagination);
    }
    expect(seen).toEqual(made.map(({ subject }) => subject));
    expect((await list(organizationId, `after=${cursor}`)).pagination.nextCursor).toBe(cursor);
    const late = confirmed(organizationId);
    await webhooks.receive(late);
    expect((await list(organizationId, `after=${cursor}`)).data).toMatchObject([{ object: { id: late.subject } }]);
  });

  test('begins behind the newest event where it is asked to', async () => {
    const organizationId = newId();
    expect((await list(organizationId, 'after=latest')).pagination.nextCursor).toBeNull();
    for (const event of [confirmed(organizationId), confirmed(newId())]) await webhooks.receive(event);
    const { data, pagination } = await list(organizationId, 'after=latest');
    expect(data).toEqual([]);
    const next = confirmed(organizationId);
    await webhooks.receive(next);
    expect((await list(organizationId, `after=${pagination.nextCursor}`)).data).toMatchObject([
      { object: { id: next.subject } },
    ]);
  });

  test('takes filters of types, families and objects, and its cursor passes what they leave out', async () => {
    const organizationId = newId();
    await webhooks.receive(...everyEvent(organizationId));
    const holds = await list(organizationId, 'type=hold.*&type=payment.declined&limit=100');
    expect(typesOf(holds).toSorted()).toEqual(
      [
        ...Array.from({ length: 3 }, () => 'hold.placed'),
        'hold.captured',
        'hold.ending',
        'hold.expired',
        'hold.released',
        'payment.declined',
      ].toSorted(),
    );
    expect((await list(organizationId, `type=hold.*&after=${holds.pagination.nextCursor}`)).data).toEqual([]);
    const whole = await list(organizationId, 'limit=100');
    expect(holds.pagination.nextCursor).toBe(whole.pagination.nextCursor);
    const hold = whole.data.find(({ type }) => type === 'hold.captured');
    const ofHold = await list(organizationId, `objectId=${hold?.object.id}`);
    expect(typesOf(ofHold)).toEqual(['hold.placed', 'hold.ending', 'hold.captured']);
    expect(typesOf(await list(organizationId, `objectId=${hold?.object.id}&type=hold.captured`))).toEqual([
      'hold.captured',
    ]);
  });

  test('shows a merchant nothing of another', async () => {
    const [ours, theirs] = [newId(), newId()];
    await webhooks.receive(confirmed(ours), confirmed(theirs));
    const [event] = (await list(theirs)).data;
    expect((await list(ours)).data).toHaveLength(1);
    expect((await list(ours, `objectId=${event?.object.id}`)).data).toEqual([]);
    const { status, body } = await webhooks.ask(merchant(ours), `/event/${event?.id}`);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'EVENT_NOT_FOUND' });
    expect((await webhooks.ask(merchant(theirs), `/event/${event?.id}`)).body).toEqual(event);
  });

  test.each(['after=abc', 'after=', 'after=0', 'after=99999999999999999'])('refuses the cursor %s', async (query) => {
    const { status, body } = await webhooks.ask(merchant(newId()), `/event?${query}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_CURSOR' });
  });

  test.each(['type=payment.paid', 'type=pay.*', 'limit=101', 'waitSeconds=31', 'objectId=1', 'page=1'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await webhooks.ask(merchant(newId()), `/event?${query}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );
});

describe('an event', () => {
  test('is shown for 30 days and then deleted; one that is older when it comes is not kept', async () => {
    const organizationId = newId();
    const daysAgo = (days: number) => new Date(NOON.getTime() - days * 86_400_000);
    await webhooks.receive(confirmed(organizationId, daysAgo(29)), confirmed(organizationId, daysAgo(31)));
    expect((await list(organizationId)).data).toHaveLength(1);
    const count = async () =>
      (
        await webhooks.deps.db.one<{ n: number }>(sql`
        select count(*)::int as n from event where organization_id = ${organizationId}`)
      ).n;
    await pruneEvents(webhooks.deps);
    expect(await count()).toBe(1);
    webhooks.setNow(new Date(NOON.getTime() + 2 * 86_400_000).toISOString());
    expect((await list(organizationId)).data).toEqual([]);
    await pruneEvents(webhooks.deps);
    expect(await count()).toBe(0);
    webhooks.setNow(NOON.toISOString());
  });
});
