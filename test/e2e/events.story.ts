import { newId } from '@cobro/contracts/ids.ts';
import { type OutwardEvent, outwardId } from '@cobro/contracts/outward-events.ts';
import type { PartnerList } from '@cobro/contracts/partner-payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { StackUnderTest } from './stack-under-test.ts';
import { tapOnce } from './tap.ts';

interface Page {
  data: OutwardEvent[];
  pagination: { nextCursor: string };
}

/** What happens at any service is soon in the feed, with the data that reads show. */
export function events({ stack, merchant, partner, developer, db }: StackUnderTest): void {
  const list = async (query: string) => (await merchant().send<Page>('GET', `/event?${query}`)).body;
  /** The events of this object, once the last of them has come. */
  async function eventsOf(objectId: string, last: string): Promise<OutwardEvent[]> {
    let found: OutwardEvent[] = [];
    await until(`${last} has come`, async () => {
      found = (await list(`objectId=${objectId}`)).data;
      return found.some(({ type }) => type === last);
    });
    return found;
  }
  /** What the developer API shows of a payment, once that has this status. */
  async function shownAs(id: string, status: string): Promise<object> {
    const read = async () => (await developer(`/developer/v1/payment/${id}`)).body;
    await until('reporting has it', async () => (await read())['status'] === status);
    return read();
  }
  const typesOf = (found: OutwardEvent[]) => found.map(({ type }) => type);

  test('a hold, its capture and the refund, each as the developer API shows the payment', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().hold(card, { externalId: `events-${newId()}` })).body;
    await merchant().capture(card, id, 60);
    const [, captured] = await eventsOf(id, 'hold.captured');
    expect(captured?.data).toMatchObject(await shownAs(id, 'CONFIRMED'));
    await merchant().refund(card, id);
    const found = await eventsOf(id, 'payment.refunded');
    expect(typesOf(found)).toEqual(['hold.placed', 'hold.captured', 'payment.refunded']);
    expect(found[2]?.data).toMatchObject(await shownAs(id, 'REFUNDED'));
    expect(typesOf(await eventsOf(card, 'payment_method.saved'))).toEqual(['payment_method.saved']);
  });

  test('a tap is the payment’s event and the intent’s', async () => {
    const { body, intent } = await tapOnce(stack(), merchant(), `events-${newId()}`);
    const [confirmed] = await eventsOf(intent, 'payment_intent.confirmed');
    const paymentId = String(body['paymentId']);
    expect(confirmed?.data).toMatchObject({
      id: intent,
      status: 'CONFIRMED',
      amount: 80,
      supersededBy: null,
      paymentSummary: { id: paymentId, status: 'CONFIRMED', operationCode: body['operationCode'] },
    });
    const [paid] = await eventsOf(paymentId, 'payment.confirmed');
    expect(paid?.data).toMatchObject({ paymentIntentId: intent, type: 'CARD_PRESENT' });
  });

  test('whoever waits behind the end is answered by the next event', async () => {
    const { nextCursor } = (await list('limit=100')).pagination;
    const card = await merchant().saveCard();
    const seen: string[] = [];
    let after = nextCursor;
    const charged = merchant().charge(card);
    for (const end = performance.now() + 60_000; performance.now() < end;) {
      const page = await list(`after=${after}&waitSeconds=30&type=payment.*&limit=100`);
      seen.push(...page.data.map(({ object }) => object.id));
      after = page.pagination.nextCursor;
      if (seen.includes((await charged).body.id)) break;
    }
    expect(seen).toContain((await charged).body.id);
  });

  test('the end of a hold that webhooks never heard of is shown in full, after its placing', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().hold(card)).body;
    await eventsOf(id, 'hold.placed');
    await db('webhooks').run(sql`delete from event where id = ${outwardId(id, 'hold.placed')}`);
    // Restarted, because its process still remembers the placing.
    await stack().processes.restart('webhooks');
    await merchant().release(card, id);
    const found = await eventsOf(id, 'hold.released');
    expect(typesOf(found)).toEqual(['hold.placed', 'hold.released']);
    expect(found[1]?.data).toMatchObject({
      status: 'HOLD_RELEASED',
      heldAmount: 100,
      card: { lastFourDigits: '4242' },
    });
  });

  test('a partner reads the events of its merchant', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().charge(card)).body;
    await eventsOf(id, 'payment.confirmed');
    const { body } = await partner().send<PartnerList<OutwardEvent>>('GET', `/developer/event?objectId=${id}`);
    expect(body).toMatchObject({
      data: [{ type: 'payment.confirmed', organizationId: stack().merchants.organizationId, object: { id } }],
      pagination: { limit: 20, offset: 0, count: 1 },
    });
  });
}
