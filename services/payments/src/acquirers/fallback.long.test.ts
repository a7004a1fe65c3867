import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { testCards } from '@cobro/contracts/test-cards.ts';
import type { PaymentMethod } from '@cobro/contracts/payment-methods.ts';
import { sql } from '@cobro/postgres/database.ts';
import { untilAgreed } from '@cobro/testing/agreement.ts';
import { untilBankIsAway, untilBankIsBack } from '@cobro/testing/at-the-bank.ts';
import { refusal } from '@cobro/testing/refusal.ts';
import { type TestLinks, testLinks } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { startTwoAcquirers, type TwoAcquirers } from '@cobro/testing/two-acquirers.ts';

let two: TwoAcquirers;
let links: TestLinks;
beforeAll(async () => {
  two = await startTwoAcquirers(['payments', 'holds'], { env: { BANK_CALL_TIMEOUT_MS: '4000' } });
  links = await testLinks(two.services);
  await two.use(links.merchant.organizationId, 'other', 'default');
});
beforeEach(() => two.other.setFaults({}));
afterAll(() => two?.stop());

const save = (externalId: string, number?: string) =>
  links.merchant.call({ method: 'POST', path: '/payment-method', body: { externalId, card: cardBody(number) } });
const atFirst = async () => (await two.services.bank.operations()).length;
const acquirerOf = async ({ id }: PaymentMethod) =>
  (
    await two.services
      .db('payments')
      .one<{ acquirer: string }>(sql`select acquirer from payment_method where id = ${id}`)
  ).acquirer;

/** Runs `work` while the other acquirer is down. */
async function withoutOther(work: () => Promise<void>): Promise<void> {
  await two.other.kill();
  try {
    await work();
    // Otherwise `untilBankIsBack` may see a state from before.
    await untilBankIsAway(two.services, 'payments');
  } finally {
    await two.other.start();
    await untilBankIsBack(two.services, 'payments');
  }
}

test('where the first vault cannot be reached, a card is saved and a link is paid at the fallback, and stays there', async () => {
  const link = await links.create();
  let saved: PaymentMethod | undefined;
  await withoutOther(async () => {
    const answer = await save('card 1');
    expect(answer).toMatchObject({ status: 201, body: { status: 'ACTIVE' } });
    saved = answer.body as PaymentMethod;
    expect(await links.pay(link)).toMatchObject({ status: 201 });
    expect(await save('card 1')).toMatchObject({ status: 201, body: { id: saved.id } });
  });
  const before = await atFirst();
  expect(await links.merchant.charge(saved?.id ?? '')).toMatchObject({ status: 201 });
  expect(await links.refund(link)).toMatchObject({ status: 200 });
  expect((await atFirst()) - before).toBe(2);
});

test.each(['silentDone', 'silentNotDone', 'error', 'retry'])(
  'a vault that got the card (%s) has no fallback',
  async (fault) => {
    const before = await atFirst();
    await two.other.setFaults({ rates: { [fault]: 1 }, kinds: ['tokenize'] });
    const link = await links.create();
    expect((await links.pay(link)).status).toBe(503);
    expect([202, 503]).toContain((await save(`card ${fault}`)).status);
    expect(await atFirst()).toBe(before);
  },
);

test('a refused card goes to no other vault', async () => {
  const before = await atFirst();
  await two.other.setFaults({ rates: { decline: 1 }, kinds: ['tokenize'] });
  expect(await save('card 3')).toMatchObject(refusal(402, 'CARD_DECLINED'));
  expect(await links.pay(await links.create())).toMatchObject({ status: 402 });
  expect(await atFirst()).toBe(before);
});

test('a charge has no fallback: not of a saved card, and not of a link whose card the vault has taken', async () => {
  const card = (await save('card 4', testCards.approved)).body as PaymentMethod;
  expect(await acquirerOf(card)).toBe('other');
  const before = await atFirst();
  await withoutOther(async () => {
    expect(await links.merchant.charge(card.id)).toMatchObject(refusal(503, 'BANK_UNAVAILABLE'));
  });
  await two.other.setFaults({ rates: { error: 1 }, kinds: ['sale'] });
  expect((await links.pay(await links.create())).status).toBe(202);
  expect(await atFirst()).toBe(before);
  await two.other.setFaults({});
  await untilAgreed(two.books);
});
