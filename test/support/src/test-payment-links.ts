import type { PaymentLink } from '@cobro/contracts/payment-links.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { patiently } from './patiently.ts';
import type { RunningServices } from './start-services.ts';
import { payer, testLinks } from './test-links.ts';
import { cardBody } from './test-merchant.ts';

type Of = Pick<PaymentLink, 'id'>;

export type TestPaymentLinks = Awaited<ReturnType<typeof testPaymentLinks>>;

/** A merchant of payment links, and the public who pays them. */
export async function testPaymentLinks(services: RunningServices, options: { replica?: number } = {}) {
  const { merchant, page, submit } = await testLinks(services, options);
  const { organizationId } = merchant;
  const db = services.db('payments');
  await db.run(sql`
    insert into fee_channel (organization_id, type, terms, fee_bps) values (${organizationId}, 'CARD_NOT_PRESENT', 18, 350)`);
  const ask = (method: string, path: string, rest: { body?: unknown; headers?: Record<string, string> } = {}) =>
    services.call('payments', { method, path, caller: { kind: 'public' }, ...options, ...rest });
  const asMerchant = (method: string, path: string, body?: object) =>
    merchant.call({ method, path, ...options, ...(body && { body }) });
  return {
    merchant,
    page,
    submit,
    /** `body` is added to an amount of 350, unless it names a product, and a description. @throws if the answer is not 201 */
    create: async (body: object = {}) => {
      const asked = { ...('productId' in body ? {} : { amount: 350, description: 'Clase de yoga' }), ...body };
      const answer = await patiently(() => asMerchant('POST', '/payment-link', asked));
      if (answer.status !== 201) throw new Error(`no payment link: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as PaymentLink;
    },
    get: async ({ id }: Of) => (await asMerchant('GET', `/payment-link/${id}`)).body as PaymentLink,
    change: ({ id }: Of, body: object) => asMerchant('PATCH', `/payment-link/${id}`, body),
    view: ({ id }: Of) => ask('GET', `/payment-link/${id}/checkout`),
    /** With this card and a new attemptId; `body` is added to an amount of 350. */
    pay: ({ id }: Of, number?: string, body?: object, headers: Record<string, string> = {}) =>
      ask('POST', `/payment-link/${id}/payment`, {
        body: { attemptId: newId(), amount: 350, card: cardBody(number), billingInformation: payer, ...body },
        headers,
      }),
    attempt: ({ id }: Of, attemptId: string) => ask('GET', `/payment-link/${id}/attempt/${attemptId}`),
    payments: async ({ id }: Of) =>
      (await asMerchant('GET', `/payment-link/${id}/payment`)).body as {
        count: number;
        items: { id: string; status: string }[];
      },
    refund: ({ id }: Of, paymentId: string) =>
      asMerchant('POST', `/payment-link/${id}/payment/${paymentId}/refund`, {}),
    /** A product of 350, whose units are counted if `stock` is a number. */
    product: async (stock: number | null = null) => {
      const id = newId();
      await db.run(sql`
        insert into product (id, organization_id, request_digest, name, price, currency, stock, stocked, created_at, updated_at)
        values (${id}, ${organizationId}, ${Buffer.from('digest')}, 'Talavera', 35000, 'MXN', ${stock}, ${stock}, now(), now())`);
      return id;
    },
    stockOf: async (productId: string) =>
      (await db.one<{ stock: number | null }>(sql`select stock from product where id = ${productId}`)).stock,
  };
}
