import { newEvent, type Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { expect, test } from '@jest/globals';
import { PermanentEventError } from './inbox.ts';
import { keepRows } from './kept-events.ts';

const released = (): Envelope => {
  const paymentId = newId();
  const time = new Date('2026-11-20T18:00:00.000Z');
  const data = { paymentId, organizationId: newId(), releasedAt: time };
  return newEvent('HoldReleased', { subject: paymentId, sequence: 1, time, data });
};

function keeping() {
  const written: string[][] = [];
  const makers = { HoldReleased: ({ paymentId }: { paymentId: string }) => [paymentId, 'and more'] };
  const receive = keepRows<'HoldReleased', string>(makers, async (rows) => void written.push([...rows]));
  return { written, receive };
}
const trusted = () => {};

test('the rows of events that come together are written together; events of other types make none', async () => {
  const { written, receive } = keeping();
  const [one, other] = [released(), released()];
  const unknown = { ...released(), type: 'HoldForgotten' };
  expect(await receive([one, unknown, other], trusted)).toEqual(new Set([one.id, other.id]));
  expect(written).toEqual([[one.subject, 'and more', other.subject, 'and more']]);
  expect(await receive([unknown], trusted)).toEqual(new Set());
  expect(written).toHaveLength(1);
});

test('the last of them is checked first, because its signature vouches for those before it', async () => {
  const { receive } = keeping();
  const events = [released(), released(), released()];
  const checked: Envelope[] = [];
  await receive(events, (event) => void checked.push(event));
  expect(checked).toEqual(events.toReversed());
});

test('nothing is written where one of them is not signed, or has another shape', async () => {
  const { written, receive } = keeping();
  const [one, other] = [released(), released()];
  const check = (event: Envelope) => {
    if (event === other) throw new PermanentEventError('not signed');
  };
  await expect(receive([one, other], check)).rejects.toThrow('not signed');
  await expect(receive([one, { ...other, data: { paymentId: 7 } }], trusted)).rejects.toThrow('paymentId');
  expect(written).toEqual([]);
});
