import { schemaOf } from '@cobro/frame/definition.ts';
import type { Schema } from '@cobro/postgres/migrate.ts';
import { schema as stripe } from '../../acquirers/stripe/src/schema.ts';
import { definitions } from '../../services/definitions.ts';

/** A variable that a command needs is not set. The message names it. */
export class EnvironmentError extends Error {}

export function needed(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new EnvironmentError(`${variable} is not set.`);
  return value;
}

/** A schema and its two addresses: of the role that owns it, and of the role that reads and writes its rows. */
interface SchemaAddresses {
  schema: Schema;
  owner: string;
  service: string;
}

const variables = (service: string) => ({
  owner: `${service.toUpperCase()}_OWNER_URL`,
  service: `${service.toUpperCase()}_DATABASE_URL`,
});

function schemaAddresses(schema: Schema): SchemaAddresses {
  const { owner, service } = variables(schema.name);
  return { schema, owner: needed(owner), service: needed(service) };
}

/** Adapters, which not every deployment has. */
const adapters = [stripe];
const isDeployed = ({ name }: Schema) => Boolean(process.env[variables(name).owner]);

export const allSchemaAddresses = () =>
  [...definitions.map(schemaOf), ...adapters.filter(isDeployed)].map(schemaAddresses);

export interface Role {
  name: string;
  password: string;
}

export function roleOf(address: string): Role {
  const { username, password } = new URL(address);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}
