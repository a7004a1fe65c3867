import { bankMigrations } from '@cobro/bank/migrations.ts';
import { type EventType, eventTypes } from '@cobro/contracts/events.ts';
import { eventsMigrations } from '@cobro/events/migrations.ts';
import type { Schema } from '@cobro/postgres/migrate.ts';
import { bankConfig, doorConfig, serviceConfig, url } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

/**
 * What a service is, as plain data: tools, tests and docs read it, and it imports no handler. The frame derives the rest from it:
 * environment, schema, queue, clients, jobs.
 */
export interface ServiceDefinition {
  /** Also the name of its schema, its queue, its key for internal tokens and its folder. */
  name: string;
  /** The variables of its environment that are its own, each with a description. */
  config: Readonly<Record<string, z.ZodType>>;
  /** Absolute folder of its schema's own migrations. */
  migrations: string;
  /** Services that it asks, or hands events over to; each gives it a variable `NAME_URL`. */
  calls: readonly string[];
  /** The types of event that its handlers apply. Its queue is bound to these. */
  follows: readonly EventType[];
  /** True: it calls the bank, through a journal in its schema. */
  usesBank: boolean;
  /** True of the gateway alone: callers from outside reach it, and no internal token is taken. */
  isDoor?: boolean;
}

export const urlVariable = (service: string): string => `${service.toUpperCase()}_URL`;

/** The schema of the environment that the service is started with. */
export function configOf(definition: ServiceDefinition): z.ZodObject {
  const { calls, usesBank, isDoor = false } = definition;
  const address = (service: string) => {
    // Routes of a service that a deployment does not have answer 501.
    const variable = isDoor ? url.optional() : url;
    return [urlVariable(service), variable.describe(`Base address of ${service}.`)] as const;
  };
  return z.object({
    ...(isDoor ? doorConfig : serviceConfig),
    ...(usesBank && bankConfig),
    ...Object.fromEntries(calls.map(address)),
    ...definition.config,
  });
}

/** Its database schema, with the tables of the libs that it uses. */
export function schemaOf({ name, migrations, usesBank }: ServiceDefinition): Schema {
  const own = { dir: migrations, table: 'pgmigrations' };
  return { name, migrations: [eventsMigrations, ...(usesBank ? [bankMigrations] : []), own] };
}

/** What each service's queue is bound to, by the name of the queue; services that follow nothing have none. */
export function consumersOf(definitions: readonly ServiceDefinition[]): Record<string, readonly string[]> {
  const followers = definitions.filter(({ follows }) => follows.length > 0);
  return Object.fromEntries(followers.map(({ name, follows }) => [name, bindingsOf(follows)]));
}

/** One that follows everything also gets types that a newer service publishes already, so that no event finds no queue. */
const bindingsOf = (follows: readonly EventType[]): readonly string[] =>
  eventTypes.every((type) => follows.includes(type)) ? ['#'] : follows;
