import { inFull } from '@cobro/testing/in-full.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import { patiently } from '@cobro/testing/patiently.ts';
import type { HttpAnswer } from '@cobro/testing/start-services.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { testPromotions } from '@cobro/testing/test-promotions.ts';
import { type CrashStack, type FinalAnswer, startCrashStack, untilFinal } from './crash-stack.ts';
import { everyPoint, ofThisForm } from './points.ts';

jest.setTimeout(900_000);

let stack: CrashStack;
beforeAll(async () => {
  stack = await startCrashStack();
  // All charges and holds count in a promotion, so books agree only if each was counted once and given back once.
  await testPromotions(stack.services, { merchant: stack.holds.merchant }).then(({ create }) =>
    create({ maxPayments: 9_999 }),
  );
});
afterAll(() => stack?.stop());

type Send = (headers?: Record<string, string>) => Promise<HttpAnswer>;

/** Dies at every point of the request from `prepare`; then repeats each until its answer is final. */
async function dieEverywhere(prepare: (id: string) => Promise<Send>): Promise<Map<string, FinalAnswer[]>> {
  const sent = new Map<string, Send[]>();
  for (let round = 0; round < (inFull ? 3 : 1); round++) {
    await everyPoint(async (point) => {
      const send = await prepare(newId());
      const died = await stack.dies('payments', point, send);
      if (died) sent.set(point, [...(sent.get(point) ?? []), send]);
      if (died && inFull) await stack.agree();
      return died;
    });
  }
  const answers = new Map<string, FinalAnswer[]>();
  for (const [point, sends] of sent) answers.set(point, await Promise.all(sends.map((send) => untilFinal(send))));
  await stack.agree();
  return answers;
}

const short = (answers: Map<string, FinalAnswer[]>) =>
  Object.fromEntries([...answers].map(([point, all]) => [point, [...new Set(all.map(inShort))].toSorted()]));
const inShort = ({ status, body, wasOpen }: FinalAnswer) => {
  const { code, declineCode, status: state } = body as { code?: string; declineCode?: string; status?: string };
  // The refund was done now, but its first answer came too late.
  if (wasOpen && code === 'PAYMENT_ALREADY_REFUNDED') return '200 REFUNDED';
  return [status, code ?? state, declineCode].filter((word) => word !== undefined).join(' ');
};

const NOT_SENT = '402 CHARGE_DECLINED not_processed';

describe('payments dies at each commit and call of', () => {
  test.each([
    ['a charge', false, '201 CONFIRMED'],
    ['the placing of a hold', true, '201 HELD'],
  ])('%s: the same externalId gives the one payment', async (_name, holdFunds, made) => {
    const externalIds: string[] = [];
    const answers = await dieEverywhere(async (externalId) => {
      externalIds.push(externalId);
      return (headers) =>
        stack.holds.merchant.call({
          method: 'POST',
          path: `/payment-method/${stack.holds.cardId}/payment`,
          body: { amount: 70, holdFunds, externalId },
          headers: headers ?? {},
        });
    });

    const found = short(answers);
    // Only the bank knows whether it got the call that was on its way when the process died.
    const onItsWay = found['call:1:sent'] ?? [];
    expect([made, NOT_SENT]).toEqual(expect.arrayContaining(onItsWay));
    const expected = {
      'commit:1:before': [made],
      'commit:1:after': [NOT_SENT],
      'call:1:before': [NOT_SENT],
      'call:1:sent': onItsWay,
      'call:1:after': [made],
      'commit:2:before': [made],
      'commit:2:after': [made],
    };
    expect(found).toEqual(ofThisForm(expected));
    const rows = await stack.services.db('payments').many<{ n: number; promoted: boolean }>(sql`
      select count(*)::int as n, bool_and(rates ? 'promotion') as promoted
      from payment where external_id = any(${externalIds}) group by external_id`);
    expect(rows).toEqual(externalIds.map(() => ({ n: 1, promoted: true })));
  });

  test('a refund: it is refunded once', async () => {
    const answers = await dieEverywhere(async () => {
      const charge = (await patiently(() => stack.holds.merchant.charge(stack.holds.cardId))).body as Payment;
      const path = `/payment-method/${stack.holds.cardId}/payment/${charge.id}/refund`;
      return (headers) => stack.holds.merchant.call({ method: 'POST', path, body: {}, headers: headers ?? {} });
    });

    const found = short(answers);
    const onItsWay = found['call:1:sent'] ?? [];
    const [now, before] = ['200 REFUNDED', '409 PAYMENT_ALREADY_REFUNDED'];
    expect([now, before]).toEqual(expect.arrayContaining(onItsWay));
    const expected = {
      'commit:1:before': [now],
      'commit:1:after': [now],
      'call:1:before': [now],
      'call:1:sent': onItsWay,
      'call:1:after': [before],
      'commit:2:before': [before],
      'commit:2:after': [before],
    };
    expect(found).toEqual(ofThisForm(expected));
  });

  test('the saving of a card: the same externalId gives one card that can be charged', async () => {
    const answers = await dieEverywhere(
      async (externalId) => (headers) =>
        stack.holds.merchant.call({
          method: 'POST',
          path: '/payment-method',
          body: { externalId, card: cardBody() },
          headers: headers ?? {},
        }),
    );

    const points = ['commit:1:before', 'commit:1:after', 'call:1:before', 'call:1:sent', 'call:1:after'];
    const everywhere = [...points, 'commit:2:before', 'commit:2:after'];
    expect(short(answers)).toEqual(ofThisForm(Object.fromEntries(everywhere.map((point) => [point, ['201 ACTIVE']]))));
    for (const { body } of [...answers.values()].flat()) {
      const { id } = body as { id: string };
      expect(await patiently(() => stack.holds.merchant.charge(id))).toMatchObject({ status: 201 });
    }
  });
});
