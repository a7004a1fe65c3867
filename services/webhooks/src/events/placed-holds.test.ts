import { newId } from '@cobro/contracts/ids.ts';
import type { OutwardEvent } from '@cobro/contracts/outward-events.ts';
import { about, merchant, paymentFacts } from '@cobro/testing/test-facts.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWebhooks } from '../webhooks-under-test.ts';

let webhooks: Awaited<ReturnType<typeof startWebhooks>>;
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(() => webhooks?.close());

const NOON = new Date('2026-11-20T18:00:00.000Z');

function aHold() {
  const organizationId = newId();
  const facts = paymentFacts({ organizationId });
  const placed = about('HoldPlaced', { ...facts, captureBefore: null, heldAt: NOON });
  const released = about('HoldReleased', { paymentId: facts.paymentId, organizationId, releasedAt: NOON });
  const typesShown = async () => {
    const { body } = await webhooks.ask(merchant(organizationId), '/event');
    return (body as { data: OutwardEvent[] }).data.map(({ type }) => type);
  };
  return { placed, released, typesShown };
}
const inOrder = ['hold.placed', 'hold.released'];

test('the end of a hold whose placing could not be written brings the placing before it', async () => {
  const { placed, released, typesShown } = aHold();
  // This id is no UUID, so the statement that would write both events fails.
  const unwritable = { ...aHold().placed, organizationid: 'nobody' };
  await expect(webhooks.receive(placed, unwritable)).rejects.toThrow('uuid');
  await webhooks.receive(released);
  expect(await typesShown()).toEqual(inOrder);
  await webhooks.receive(placed);
  expect(await typesShown()).toEqual(inOrder);
});

test('a placing and an end of one batch are shown in their order, each once', async () => {
  const { placed, released, typesShown } = aHold();
  await webhooks.receive(placed, released);
  expect(await typesShown()).toEqual(inOrder);
});
