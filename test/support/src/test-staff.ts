import type { Salesperson } from '@cobro/contracts/salespeople.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { HttpAnswer } from './start-services.ts';
import type { TestIntents } from './test-intents.ts';

/** For tests: a merchant with branches and people who sell. */
export const testStaff = (shop: TestIntents) => {
  const send = (method: string, path: string, body?: unknown): Promise<HttpAnswer> =>
    shop.merchant.call({ method, path, ...(body === undefined ? {} : { body }) });
  return {
    send,
    get: (path: string) => send('GET', path),
    branch: async (name = 'Roma Norte') =>
      (await send('POST', '/business-store-branch', { name })).body as { id: string },
    /** @throws if the answer is not 201 */
    seller: async (body: object = {}): Promise<Salesperson> => {
      const made = await send('POST', '/salesperson', { name: 'Lucía Ramos', username: aUsername(), ...body });
      if (made.status !== 201) throw new Error(`nobody was made: ${JSON.stringify(made.body)}`);
      return made.body as Salesperson;
    },
    link: (body: object) => send('POST', '/one-time-payment', { amount: 900, description: 'Dos boletos', ...body }),
  };
};

export const aUsername = () => `lucia-${newId()}`;
