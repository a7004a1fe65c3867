import { definitions } from '../../services/definitions.ts';

/** A variable that a command needs is not set. The message names it. */
export class EnvironmentError extends Error {}

export function needed(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new EnvironmentError(`${variable} is not set.`);
  return value;
}

/** The two addresses of a service's schema: of the role that owns it, and of the role that reads and writes its rows. */
interface SchemaAddresses {
  owner: string;
  service: string;
}

const variables = (service: string) => ({
  owner: `${service.toUpperCase()}_OWNER_URL`,
  service: `${service.toUpperCase()}_DATABASE_URL`,
});

function schemaAddresses(service: string): SchemaAddresses {
  const { owner, service: own } = variables(service);
  return { owner: needed(owner), service: needed(own) };
}

export const allSchemaAddresses = () =>
  definitions.map((definition) => ({ definition, ...schemaAddresses(definition.name) }));

export interface Role {
  name: string;
  password: string;
}

export function roleOf(address: string): Role {
  const { username, password } = new URL(address);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}
