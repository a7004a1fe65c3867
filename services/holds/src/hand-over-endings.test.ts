import { expect, test } from '@jest/globals';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { handOverEndings } from './hand-over-endings.ts';
import type { HoldRow } from './hold.row.ts';

test('the end of a hold is handed over once, however many ask meanwhile and later, and again if it was lost', async () => {
  const given: Envelope[] = [];
  let end = (_isKept: boolean) => {};
  const handOver = (events: Envelope[]) => {
    given.push(...events);
    return new Promise<boolean>((resolve) => (end = resolve));
  };
  const handOverEnding = handOverEndings(handOver);
  const released = {
    paymentId: newId(),
    organizationId: newId(),
    status: 'RELEASED',
    version: 2,
    releasedAt: new Date(),
  };
  const [one, other] = [released, { ...released, paymentId: newId() }] as HoldRow[] as [HoldRow, HoldRow];

  const both = Promise.all([handOverEnding(one), handOverEnding(one)]);
  end(true);
  await both;
  await handOverEnding(one);
  expect(given.map(({ subject }) => subject)).toEqual([one.paymentId]);

  await handOverEnding({ ...other, status: 'HELD' });
  expect(given).toHaveLength(1);
  const lost = handOverEnding(other);
  end(false);
  await lost;
  void handOverEnding(other);
  expect(given.map(({ subject }) => subject)).toEqual([one.paymentId, other.paymentId, other.paymentId]);
});
