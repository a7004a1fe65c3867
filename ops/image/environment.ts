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

/** What not every deployment has: adapters of acquirers, and the dashboard, which the chart leaves out where it has no host. */
const OPTIONAL: readonly string[] = [stripe.name, 'dashboard' satisfies ServiceName];
const isDeployed = ({ name }: Schema) => !OPTIONAL.includes(name) || Boolean(process.env[variables(name).owner]);

export const allSchemaAddresses = () => [...definitions.map(schemaOf), stripe].filter(isDeployed).map(schemaAddresses);

export interface Role {
  name: string;
  password: string;
}

export function roleOf(address: string): Role {
  const { username, password } = new URL(address);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}
