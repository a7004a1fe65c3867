import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '@cobro/postgres/migrate.ts';
import { repositoryFolder } from './run-record.ts';

const ORDER = ['gateway', 'payments', 'holds', 'intents', 'reporting'] as const;

export type ServiceName = (typeof ORDER)[number];

/** The services that exist, the gateway first. */
export const serviceNames: ServiceName[] = ORDER.filter((name) => existsSync(fileOf(name, 'main.ts')));

/** Those that own a schema, which may not be services yet. */
export const schemaOwners: ServiceName[] = ORDER.filter((name) => existsSync(fileOf(name, 'schema.ts')));

/** Each service says itself which schema it owns and where its migrations are. */
export async function schemaOf(service: ServiceName): Promise<Schema> {
  const { schema } = (await import(fileOf(service, 'schema.ts'))) as { schema: Schema };
  return schema;
}

export function schemasOf(services: ServiceName[]): Promise<Schema[]> {
  return Promise.all(services.map(schemaOf));
}

function fileOf(service: ServiceName, file: string): string {
  return join(repositoryFolder, 'services', service, 'src', file);
}
