import { expect, test } from '@jest/globals';
import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { until } from '@cobro/testing/until.ts';
import type { Bank } from './bank.ts';
import { watchBank } from './bank-watch.ts';

/** Counts what reaches it. */
function acquirer(says: boolean | undefined) {
  const got: string[] = [];
  const logged: object[] = [];
  const bank: Bank = {
    send: async () => (got.push('send'), { outcome: 'unknown' }),
    inquire: async () => (got.push('inquire'), { outcome: 'not_found', closed: true }),
    capabilities: async () => (says === undefined ? undefined : ({ live: says } as Capabilities)),
    close: async () => {},
  };
  const log = { ...silentLog, error: (fields: object) => void logged.push(fields) };
  return { got, logged, watched: (isLive: boolean) => watchBank(bank, { acquirer: 'other', isLive, log }) };
}

test.each<[string, boolean, boolean | undefined, boolean]>([
  ['a live deployment uses one that is live', true, true, true],
  ['a live deployment uses none that charges no real cards', true, false, false],
  ['a live deployment uses none that has not said what it is', true, undefined, false],
  ['a test deployment uses none that charges real cards', false, true, false],
  ['a test deployment uses one that charges none', false, false, true],
  ['a test deployment uses one that has not said what it is', false, undefined, true],
])('%s', async (_what, isLive, says, isUsed) => {
  const { got, logged, watched } = acquirer(says);
  const bank = watched(isLive);
  await until('its capabilities are known', async () => bank.offers()?.live === says);
  const permit = { lane: 'live', organizationId: newId() } as const;
  const sent = await bank.send(newId(), { kind: 'void', authorization: 'a' }, performance.now() + 5_000, permit);
  const asked = await bank.inquire(newId(), 'void', true);
  expect(got).toEqual(isUsed ? ['send', 'inquire'] : []);
  expect([sent.outcome === 'unreachable', asked.outcome === 'unreachable', bank.isAway()]).toEqual(
    Array.from({ length: 3 }, () => !isUsed),
  );
  const isWrong = says !== undefined && !isUsed;
  expect(logged).toMatchObject(isWrong ? [{ event: 'acquirer_not_used', acquirer: 'other' }] : []);
  await bank.close();
});
