import { type Database, openPatiently } from '@cobro/postgres/database.ts';
import { acquirersConfig, refuseUnknownTokens } from '@cobro/service-kit/acquirers-config.ts';
import { bankProxy, bankToken, keyMode, refuseLiveInClear, secretUrl, url } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

const variableOf = (schema: string) => `${schema.toUpperCase()}_DATABASE_URL`;

/**
 * The variables of commands that need the schemas of several services: `PAYMENTS_DATABASE_URL` and so on, as the operations image has
 * them, or one `DATABASE_URL` for all.
 */
export const schemaAddresses = (schemas: readonly string[]) =>
  someAddresses(schemas).superRefine((given: Addresses, ctx) => {
    if (given['DATABASE_URL'] === undefined && schemas.some((schema) => given[variableOf(schema)] === undefined)) {
      ctx.addIssue({ code: 'custom', path: ['DATABASE_URL'], message: 'is not set' });
    }
  });

/** The same variables, with those by which acquirers are reached. */
export const withAcquirers = (schemas: readonly string[]) =>
  schemaAddresses(schemas)
    .safeExtend({ KEY_MODE: keyMode, BANK_URL: url, BANK_TOKEN: bankToken, ...acquirersConfig, HTTPS_PROXY: bankProxy })
    .superRefine(refuseLiveInClear)
    .superRefine(refuseUnknownTokens);

/** The same variables, for a command that does what it can with the ones that are set. */
export const someAddresses = (schemas: readonly string[]) => {
  const own = Object.fromEntries(schemas.map((schema) => [variableOf(schema), secretUrl.optional()]));
  return z.object({ DATABASE_URL: secretUrl.optional(), ...own });
};

export type Addresses = Record<string, z.output<typeof secretUrl> | undefined>;

/** Opens the schema of one service, with the rights that its address gives. */
export function openSchema(addresses: Addresses, schema: string): Database {
  const address = addressOf(addresses, schema);
  if (address === undefined) throw new Error(`there is no address of the schema ${schema}`);
  return openPatiently({ url: address.reveal(), schema, max: 2 });
}

export const openSchemas = <S extends string>(addresses: Addresses, schemas: readonly S[]) =>
  Object.fromEntries(schemas.map((schema) => [schema, openSchema(addresses, schema)])) as Record<S, Database>;

export const closeAll = async (schemas: Readonly<Record<string, Database>>): Promise<void> =>
  void (await Promise.all(Object.values(schemas).map((db) => db.close())));

/** Opens the schema for reading only; undefined if its address is not known. */
export function openForReading(addresses: Addresses, schema: string): Database | undefined {
  const address = addressOf(addresses, schema);
  if (address === undefined) return undefined;
  const settings = { default_transaction_read_only: 'on' };
  return openPatiently({ url: address.reveal(), schema, max: 2, connectWithinMs: 10_000, settings });
}

const addressOf = (addresses: Addresses, schema: string) => addresses[variableOf(schema)] ?? addresses['DATABASE_URL'];
