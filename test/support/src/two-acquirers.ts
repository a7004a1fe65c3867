import { sql } from '@cobro/postgres/database.ts';
import type { Books } from './agreement.ts';
import { startBank } from './start-bank.ts';
import { type ServiceName, startServices } from './start-services.ts';

export type TwoAcquirers = Awaited<ReturnType<typeof startTwoAcquirers>>;

/**
 * Services that use two acquirers: `services.bank` is the one at BANK_URL, `other` has that name. payments and holds must be among
 * `names`. Do not move the clock: the other acquirer does not follow it.
 */
export async function startTwoAcquirers(
  names: readonly ServiceName[],
  {
    env = {},
    replicas = {},
    others = {},
  }: {
    env?: Record<string, string>;
    /** Addresses of acquirers besides these two, by their names. Their books are not compared. */
    others?: Readonly<Record<string, string>>;
    replicas?: Partial<Record<ServiceName, number>>;
  } = {},
) {
  const other = await startBank();
  const named = Object.entries({ other: other.url, ...others }).map(([name, url]) => `${name}=${url}`);
  const acquirers = { ACQUIRERS: named.join(',') };
  const services = await startServices({ services: names, env: { ...acquirers, ...env }, replicas }).catch(
    async (error) => {
      await other.close();
      throw error;
    },
  );
  const has = (name: ServiceName) => names.includes(name);
  const books: Books = {
    bankUrl: services.bank.url,
    others: { other: other.url },
    payments: services.db('payments'),
    holds: services.db('holds'),
    ...(has('intents') && { intents: services.db('intents') }),
    ...(has('reporting') && { reporting: services.db('reporting') }),
  };
  return {
    services,
    other,
    books,
    /** From now on the organization's new cards go to this acquirer. */
    use: async (organizationId: string, acquirer: string, fallback?: string) => {
      await services.db('payments').run(sql`
        insert into acquirer_choice (organization_id, acquirer, fallback)
        values (${organizationId}, ${acquirer}, ${fallback ?? null})
        on conflict (organization_id) do update set acquirer = excluded.acquirer, fallback = excluded.fallback`);
    },
    stop: async () => void (await Promise.all([services.stop(), other.close()])),
  };
}
