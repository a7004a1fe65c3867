import '@cobro/testing/check-answers.ts';
import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { OutwardEvent } from '@cobro/contracts/outward-events.ts';
import { about, merchant, paymentFacts } from '@cobro/testing/test-facts.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startReplica, startWebhooks } from '../webhooks-under-test.ts';
import { watchEvents } from './watch-events.job.ts';

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
  pagination: { nextCursor: string | null };
}

const list = async (organizationId: string, query = ''): Promise<Page> =>
  (await webhooks.ask(merchant(organizationId), `/event?${query}`)).body as Page;
const typesOf = ({ data }: Page) => data.map(({ type }) => type);

/** The event that payments publishes when a charge is paid. */
function confirmed(organizationId: string): Envelope {
  const data = { ...paymentFacts({ organizationId }), confirmedAt: webhooks.now() };
  return newEvent('PaymentConfirmed', { subject: data.paymentId, sequence: 1, time: webhooks.now(), data });
}

describe('a request that waits', () => {
  test('is answered by an event that comes to its replica or to another', async () => {
    const organizationId = newId();
    for (const replica of [webhooks, otherReplica]) {
      const before = (await list(organizationId)).pagination.nextCursor;
      const waiting = list(organizationId, `waitSeconds=30${before === null ? '' : `&after=${before}`}`);
      await until('somebody waits', async () => webhooks.deps.readers.isAnyone());
      await watchEvents(webhooks.deps);
      const event = confirmed(organizationId);
      await replica.receive(event);
      await watchEvents(webhooks.deps);
      expect((await waiting).data).toMatchObject([{ object: { id: event.subject } }]);
    }
  });

  test('is not answered by what its filter leaves out', async () => {
    const organizationId = newId();
    const waiting = list(organizationId, 'waitSeconds=30&type=hold.placed');
    await until('somebody waits', async () => webhooks.deps.readers.isAnyone());
    await webhooks.receive(confirmed(organizationId));
    const hold = paymentFacts({ organizationId });
    await webhooks.receive(about('HoldPlaced', { ...hold, captureBefore: null, heldAt: hold.createdAt }));
    expect(typesOf(await waiting)).toEqual(['hold.placed']);
  });

  test('ends without events when its time is over, when too many of the same merchant wait, and when the process ends', async () => {
    const organizationId = newId();
    expect((await list(organizationId, 'waitSeconds=1')).data).toEqual([]);
    const many = Array.from({ length: 33 }, () => list(organizationId, 'waitSeconds=30'));
    expect((await Promise.race(many)).data).toEqual([]);
    webhooks.deps.readers.drain();
    for (const page of await Promise.all(many)) expect(page.data).toEqual([]);
    expect((await list(organizationId, 'waitSeconds=30')).data).toEqual([]);
  });
});
