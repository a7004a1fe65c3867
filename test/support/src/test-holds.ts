import type { OffsetList } from '@cobro/contracts/paging.ts';
import type { Payment } from '@cobro/contracts/payments.ts';
import { dayInMexicoCity, timeOfDay } from '@cobro/domain/mexico-city.ts';
import type { BankOperation } from './bank-operations.ts';
import { patiently } from './patiently.ts';
import type { RunningServices } from './start-services.ts';
import { type MerchantRequest, testMerchant } from './test-merchant.ts';
import { until } from './until.ts';

export type TestHolds = Awaited<ReturnType<typeof testHolds>>;

/** An organization with a saved card, the holds on it, and what the bank's books say. */
export async function testHolds(services: RunningServices, options: { fees?: boolean } = {}) {
  const merchant = await testMerchant(services, options);
  const { id: cardId } = await merchant.saveCard();
  const cards = new Map<string, string>();
  const path = ({ id }: Payment) => `/payment-method/${cards.get(id) ?? cardId}/payment/${id}`;
  const post = (to: string, body: unknown, more: Partial<MerchantRequest> = {}) =>
    merchant.call({ method: 'POST', path: to, body, ...more });
  const read = async (payment: Payment) => (await merchant.call({ path: path(payment) })).body as Payment;
  return {
    merchant,
    cardId,
    /** Places a hold of 150.00, unless `body` says otherwise. Waits if a slow machine leaves the outcome open. @throws if it is not HELD */
    place: async (body?: object, paymentMethodId = cardId) => {
      const asked = { amount: 150, holdFunds: true, ...body };
      const answer = await patiently(() => merchant.charge(paymentMethodId, asked));
      let payment = answer.body as Payment;
      cards.set(payment.id, paymentMethodId);
      if (answer.status === 202) {
        await until(`${payment.id} is held`, async () => (payment = await read(payment)).status === 'HELD');
      } else if (answer.status !== 201 || payment.status !== 'HELD') {
        throw new Error(`no hold: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      return payment;
    },
    capture: (payment: Payment, body?: unknown, more?: Partial<MerchantRequest>) =>
      post(`${path(payment)}/capture`, body, more),
    release: (payment: Payment, more?: Partial<MerchantRequest>) => post(`${path(payment)}/release`, undefined, more),
    refund: (payment: Payment) => post(`${path(payment)}/refund`, {}),
    read,
    /** The payment as the list of the card's payments shows it. */
    listed: async (payment: Payment) => {
      const answer = await merchant.call({ path: `${path(payment).split('/payment/')[0]}/payment?pageSize=500` });
      return (answer.body as OffsetList<Payment>).items.find(({ id }) => id === payment.id);
    },
    /** Captures and voids in the bank's books that are not in `before`. */
    sentSince: async (before: BankOperation[]) => {
      const known = new Set(before.map((operation) => operation.idempotencyKey));
      const now = await services.bank.operations();
      return now.filter(({ kind, idempotencyKey }) => /capture|void/.test(kind) && !known.has(idempotencyKey));
    },
  };
}

/** Moves the clock to the next noon in Mexico City, so that all that a test does within a minute falls on one natural day. */
export async function moveToNoon(services: RunningServices): Promise<void> {
  const tomorrow = timeOfDay(dayInMexicoCity(services.now()), { days: 1, hour: 12, minute: 0 });
  await moveTo(services, tomorrow);
}

export const moveTo = (services: RunningServices, time: Date) =>
  services.moveClock(time.getTime() - services.now().getTime());
