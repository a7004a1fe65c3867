import { newId } from '@cobro/contracts/ids.ts';
import type { ShownPromotion } from '@cobro/contracts/promotions.ts';
import { sql } from '@cobro/postgres/database.ts';
import { partner as partnerCaller } from './test-facts.ts';
import type { RunningServices } from './start-services.ts';
import { patiently } from './patiently.ts';
import { type TestMerchant, testMerchant } from './test-merchant.ts';

export type TestPromotions = Awaited<ReturnType<typeof testPromotions>>;

/** A merchant and its sales partner. */
export async function testPromotions(
  services: RunningServices,
  given: { partnerId?: string; merchant?: TestMerchant } = {},
) {
  const { partnerId = newId(), merchant = await testMerchant(services) } = given;
  const db = services.db('payments');
  await db.run(sql`
    insert into organization (id, name, sequence, partner_id, partner_name)
    values (${merchant.organizationId}, 'Café Tacuba', 1, ${partnerId}, 'Fabricante')
    on conflict (id) do update set partner_id = excluded.partner_id, partner_name = excluded.partner_name`);
  /** As the sales partner. */
  const ask = (method: string, path: string) =>
    services.call('payments', { method, path, caller: partnerCaller(partnerId) });
  const accept = (id: string) => ask('POST', `/developer/promotion/${id}/accept`);
  const hours = (from: number) => new Date(services.now().getTime() + from * 3_600_000).toISOString();
  const terms = () => ({ name: 'Buen Fin', businessTake: 1.25, terms: [], startsAt: hours(-1), endsAt: hours(24) });
  // Many at once wait for the organization's row, too long on a slow machine.
  const post = (body?: object) =>
    patiently(() => merchant.call({ method: 'POST', path: '/promotion', body: { ...terms(), ...body } }));
  const read = async (id: string) => (await merchant.call({ path: `/promotion/${id}` })).body as ShownPromotion;
  return {
    merchant,
    partnerId,
    post,
    /** If it has a fee discount, its sponsor accepts it. @throws unless the answers are 201 and 200 */
    create: async (body?: object) => {
      const made = await post(body);
      const { id, feeDiscount } = made.body as ShownPromotion;
      if (made.status !== 201) throw new Error(`no promotion: ${made.status} ${JSON.stringify(made.body)}`);
      if (feeDiscount === 0) return made.body as ShownPromotion;
      const accepted = await accept(id);
      if (accepted.status !== 200) throw new Error(`not accepted: ${JSON.stringify(accepted.body)}`);
      return read(id);
    },
    read,
    ask,
    accept,
    end: (id: string) => merchant.call({ method: 'POST', path: `/promotion/${id}/end` }),
    /** How many payments that took money, or still may, carry each promotion. */
    carriedBy: async () => {
      const rows = await db.many<{ id: string; count: number }>(sql`
        select rates -> 'promotion' ->> 'id' as id, count(*)::int as count from payment
        where organization_id = ${merchant.organizationId} and rates ? 'promotion' and status <> 'CANCELLED'
        group by 1`);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },
  };
}

export type TestShop = Awaited<ReturnType<typeof testShop>>;

/** Like `testPromotions`, with a saved card. */
export async function testShop(services: RunningServices) {
  const promotions = await testPromotions(services);
  const { merchant } = promotions;
  const { id: card } = await merchant.saveCard();
  return {
    ...promotions,
    card,
    /** Charges 100.00 unless `body` says otherwise. */
    charge: (body: object = {}, of = card, replica = 0) =>
      patiently(() =>
        merchant.call({
          method: 'POST',
          path: `/payment-method/${of}/payment`,
          body: { amount: 100, ...body },
          replica,
        }),
      ),
  };
}

/** A payment's rates at its claim, in basis points; `id` is its promotion's. */
interface Frozen {
  id: string | null;
  status: string;
  fee: number;
  discount: number;
  take: number;
}
export const frozenRates = (services: RunningServices, id: string) =>
  services.db('payments').one<Frozen>(sql`
    select rates -> 'promotion' ->> 'id' as id, status, (rates ->> 'feeBps')::int as fee,
      (rates ->> 'promotionFeeDiscountBps')::int as discount, (rates ->> 'promotionBusinessTakeBps')::int as take
    from payment where id = ${id}`);
