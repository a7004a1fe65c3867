import '@cobro/testing/check-answers.ts';
import { newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { merchant, organizationEvent, partner, paymentFacts } from '@cobro/testing/test-facts.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWebhooks } from '../webhooks-under-test.ts';

let webhooks: Awaited<ReturnType<typeof startWebhooks>>;
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(() => webhooks?.close());

const time = new Date('2026-11-20T17:00:00.000Z');

async function organizationOf(partnerId: string, sequence = 1, organizationId = newId()): Promise<string> {
  await webhooks.receive(
    organizationEvent('OrganizationChanged', sequence, { organizationId, name: 'Tienda', partnerId }),
  );
  return organizationId;
}

async function paid(organizationId: string): Promise<string> {
  const data = { ...paymentFacts({ organizationId }), confirmedAt: time };
  await webhooks.receive(newEvent('PaymentConfirmed', { subject: data.paymentId, sequence: 1, time, data }));
  return data.paymentId;
}

const list = async (partnerId: string, query = '') => {
  const { status, body } = await webhooks.ask(partner(partnerId), `/developer/event?${query}`);
  const ids = (body.data as { object: { id: string } }[] | undefined)?.map(({ object }) => object.id);
  return { status, ids, pagination: body.pagination, code: body.code };
};

test('a partner reads what happened at its organizations, newest first, in offset pages', async () => {
  const partnerId = newId();
  const [one, other] = [await organizationOf(partnerId), await organizationOf(partnerId)];
  const stranger = await organizationOf(newId());
  const ids: string[] = [];
  for (const organizationId of [one, other, one, other]) ids.unshift(await paid(organizationId));
  await paid(stranger);
  expect(await list(partnerId)).toMatchObject({ ids, pagination: { limit: 20, offset: 0, count: 4 } });
  expect(await list(partnerId, 'limit=2&offset=1')).toMatchObject({
    ids: ids.slice(1, 3),
    pagination: { limit: 2, offset: 1, count: 4 },
  });
  expect(await list(partnerId, `organizationId=${one}`)).toMatchObject({ ids: [ids[1], ids[3]] });
  expect(await list(partnerId, `objectId=${ids[2]}&type=payment.*`)).toMatchObject({ ids: [ids[2]] });
  expect(await list(partnerId, 'type=hold.*')).toMatchObject({ ids: [], pagination: { count: 0 } });
  expect(await list(partnerId, `organizationId=${one}&organizationId=${stranger}`)).toMatchObject({ status: 403 });
  expect(await list(partnerId, 'offset=10001')).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  expect(await list(newId())).toMatchObject({ status: 200, ids: [], pagination: { count: 0 } });
});

test('an organization belongs to the partner that the newest event names', async () => {
  const [before, after] = [newId(), newId()];
  const organizationId = await organizationOf(after, 3);
  await organizationOf(before, 2, organizationId);
  await paid(organizationId);
  expect((await list(before)).ids).toEqual([]);
  expect((await list(after)).ids).toHaveLength(1);
});

test('a merchant walks its own from the newest to the oldest where that is asked for', async () => {
  const organizationId = newId();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift(await paid(organizationId));
  await paid(newId());
  const page = async (after = '') => {
    const query = `order=newest&limit=2&type=payment.*${after}`;
    const { body } = await webhooks.ask(merchant(organizationId), `/event?${query}`);
    return body as { data: { object: { id: string } }[]; pagination: { hasMore: boolean; nextCursor: string | null } };
  };
  const first = await page();
  expect(first.pagination.hasMore).toBe(true);
  const rest = await page(`&after=${first.pagination.nextCursor}`);
  expect([...first.data, ...rest.data].map(({ object }) => object.id)).toEqual(ids);
  expect(rest.pagination).toEqual({ limit: 2, hasMore: false, nextCursor: null });
});
