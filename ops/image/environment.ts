import { schemaOf } from '@cobro/frame/definition.ts';
import type { Schema } from '@cobro/postgres/migrate.ts';
import { schema as stripe } from '../../acquirers/stripe/src/schema.ts';
import { definitions, type ServiceName } from '../../services/definitions.ts';

/** A variable that a command needs is not set. The message names it. */
export class EnvironmentError extends Error {}

export function needed(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new EnvironmentError(`${variable} is not set.`);
  return value;
}

/** A schema, and the address of the role that owns it. */
interface OwnedSchema {
  schema: Schema;
  owner: string;
}

/** With the address of the role that reads and writes its rows. */
interface SchemaAddresses extends OwnedSchema {
  service: string;
}

const variables = (service: string) => ({
  owner: `${service.toUpperCase()}_OWNER_URL`,
  service: `${service.toUpperCase()}_DATABASE_URL`,
});

/** Schemas that a deployment may lack: those of acquirers' adapters, and the dashboard's, which the chart leaves out if it has no host. */
const OPTIONAL: readonly string[] = [stripe.name, 'dashboard' satisfies ServiceName];
export const isOptional = (name: string) => OPTIONAL.includes(name);
const isDeployed = ({ name }: Schema) => !isOptional(name) || Boolean(process.env[variables(name).owner]);

export const ownedSchemas = (): OwnedSchema[] =>
  [...definitions.map(schemaOf), stripe]
    .filter(isDeployed)
    .map((schema) => ({ schema, owner: needed(variables(schema.name).owner) }));

export const allSchemaAddresses = (): SchemaAddresses[] =>
  ownedSchemas().map((one) => ({ ...one, service: needed(variables(one.schema.name).service) }));

export interface Role {
  name: string;
  password: string;
}

export function roleOf(address: string): Role {
  const { username, password } = new URL(address);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}
