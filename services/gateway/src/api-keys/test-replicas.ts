import type { CreatedApiKey } from '@cobro/contracts/api-keys.ts';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import { afterAll, beforeAll } from '@jest/globals';
import { type Answered, call } from '../door/test-client.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../door/test-gateway.ts';
import { createOrganization } from '../registry/create-organization.ts';

type Owner = CallerOf<'person'>;
type OfOrganization = Owner & { scope: { organizationId: string } };

export const ownerOf = (scope: Owner['scope']): Owner => ({
  kind: 'person',
  personId: newId(),
  scope,
  role: 'owner',
  provedAt: new Date().toISOString(),
});

export const form = (name = 'Tienda en línea', externalId = newId()) => ({ name, externalId });
export const read = ({ body }: Answered) => JSON.parse(body) as CreatedApiKey;

/** For tests: two replicas of the gateway, which share the database, and owners who ask them for keys. */
export function replicasOfGateway(servers: {
  database: () => Promise<{ url: string; drop(): Promise<void> }>;
  redis: () => TestGatewayOptions['redis'];
}) {
  let database: Awaited<ReturnType<typeof servers.database>>;
  let first: TestGateway;
  let second: TestGateway;
  beforeAll(async () => {
    database = await servers.database();
    const redis = servers.redis();
    first = await startTestGateway(database.url, { redis });
    second = await startTestGateway(database.url, { redis, signingKey: first.signingKey });
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    await database.drop();
  });
  const gateway = () => first;
  const ask = async (owner: Owner, method: string, path: string, body?: object, at = first): Promise<Answered> => {
    const headers = {
      [TOKEN_HEADER]: await at.signAsDashboard(owner, 'gateway'),
      ...(body && { 'content-type': 'application/json' }),
    };
    return call(at.peopleUrl, method, `/api/api-key${path}`, { headers, ...(body && { body: JSON.stringify(body) }) });
  };
  return {
    gateway,
    other: () => second,
    ask,
    /** The owner of a new merchant with its whole hourly key limit. */
    newOwner: async (): Promise<OfOrganization> => {
      const shop = { name: 'Tienda', websiteUrl: undefined, partnerId: undefined, color: undefined };
      const { id: organizationId } = await createOrganization(first.db, shop);
      return ownerOf({ kind: 'organization', organizationId }) as OfOrganization;
    },
    made: async (owner: Owner, name?: string) => read(await ask(owner, 'POST', '', form(name))),
    listed: async (owner: Owner) =>
      (JSON.parse((await ask(owner, 'GET', '')).body) as { items: CreatedApiKey[] }).items,
    statusOf: async (key: string, at = first) =>
      (await call(at.url, 'GET', '/api/payment-method', { headers: { 'x-api-key': key } })).status,
    eventsOf: async (keyId: string) => {
      const rows = await first.db.many<{ envelope: string }>(sql`
        select envelope from outbox where aggregate_id = ${keyId} order by id`);
      return rows.map(({ envelope }) => JSON.parse(envelope) as Envelope);
    },
    /** Does what each replica's job does twice a second. */
    replicasLook: () => Promise.all([first.keys.evictChanged(), second.keys.evictChanged()]),
  };
}
