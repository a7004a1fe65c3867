import type { createdOneTimePayment } from '@cobro/contracts/one-time-payments.ts';
import { sql } from '@cobro/postgres/database.ts';
import type { z } from 'zod';
import { patiently } from './patiently.ts';
import type { HttpAnswer, RunningServices } from './start-services.ts';
import { cardBody, testMerchant } from './test-merchant.ts';

export type TestLink = z.output<typeof createdOneTimePayment>;

type Of = Pick<TestLink, 'id'>;
type Headers = Record<string, string>;

export type TestLinks = Awaited<ReturnType<typeof testLinks>>;

export const payer = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Torres' };

/** What a person types into the form. */
export const formFields = (number: string) => ({
  ...payer,
  number,
  expiry: '12/32',
  cvc: '123',
  holderName: 'Ana Torres',
  terms: '1',
});

let lastAddress = 0;
/** A new payer's address each time, because declines are limited per address. */
export const anAddress = (): string => {
  lastAddress++;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
};

/** The hidden token in a page's form. */
export const tokenIn = (page: HttpAnswer): string => /name="token" value="([^"]+)"/.exec(String(page.body))?.[1] ?? '';

/** A merchant of one-time payments, and the public who pays them. Requests are routed to payments as the gateway does it. */
export async function testLinks(services: RunningServices, options: { replica?: number } = {}) {
  const merchant = await testMerchant(services);
  await services.db('payments').run(sql`
    insert into organization (id, name, sequence) values (${merchant.organizationId}, 'Café Tacuba', 1)`);
  const ask = (method: string, path: string, rest: { body?: unknown; headers?: Headers } = {}) =>
    services.call('payments', { method, path, caller: { kind: 'public' }, ...options, ...rest });
  /** As a browser with these headers sends it. */
  const page = ({ id }: Of, query = '', headers: Headers = {}) =>
    ask('GET', `/checkout/${id}${query}`, { headers: { 'x-forwarded-for': anAddress(), ...headers } });
  return {
    merchant,
    /** `body` is added to an amount of 900 and a description. @throws if the answer is not 201 */
    create: async (body?: object) => {
      const asked = { amount: 900, description: 'Dos boletos', ...body };
      const answer = await patiently(() => merchant.call({ method: 'POST', path: '/one-time-payment', body: asked }));
      if (answer.status !== 201) throw new Error(`no link: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as TestLink;
    },
    pay: ({ id }: Of, number?: string, body?: object, headers: Headers = {}) =>
      ask('POST', `/one-time-payment/${id}/payment`, {
        body: { card: cardBody(number), billingInformation: payer, ...body },
        headers: { 'x-forwarded-for': anAddress(), ...headers },
      }),
    view: ({ id }: Of) => ask('GET', `/one-time-payment/${id}`),
    cancel: ({ id }: Of) => merchant.call({ method: 'PATCH', path: `/one-time-payment/${id}/cancel` }),
    refund: ({ id }: Of) => merchant.call({ method: 'POST', path: `/one-time-payment/${id}/refund` }),
    page,
    /** Unless given, the token comes from a page fetched just before. */
    submit: async (link: Of, fields: Record<string, string>, headers: Headers = {}) => {
      const token = fields['token'] ?? tokenIn(await page(link));
      return ask('POST', `/checkout/${link.id}`, {
        body: new URLSearchParams({ ...fields, token }).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': anAddress(),
          ...headers,
        },
      });
    },
  };
}
