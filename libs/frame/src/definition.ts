import { bankMigrations } from '@cobro/bank/migrations.ts';
import { bindingOf } from '@cobro/contracts/event-routing.ts';
import { type EventType, eventTypes } from '@cobro/contracts/events.ts';
import { eventsMigrations } from '@cobro/events/migrations.ts';
import type { Schema } from '@cobro/postgres/migrate.ts';
import { refuseUnknownTokens } from '@cobro/service-kit/acquirers-config.ts';
import { bankConfig, doorConfig, refuseLiveInClear, serviceConfig, url } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

/**
 * What a service is, as plain data that imports no handler, because commands, tests and docs read it. The frame derives the rest
 * from it: environment, schema, queue, clients, jobs.
 */
export interface ServiceDefinition {
  /** Also the name of the service's schema, its queue, its key for internal tokens and its folder. */
  name: string;
  /** The variables that only this service has, each with a description. */
  config: Readonly<Record<string, z.ZodType>>;
  /** Absolute folder of the migrations of the service's own schema. */
  migrations: string;
  /** Tables whose rows the service may insert and read, and not change. */
  insertOnly?: readonly string[];
  /** Services that this one asks, or hands events over to. Each gives it a variable `NAME_URL`. */
  calls: readonly string[];
  /** The types of event that the service's handlers apply. The service's queue is bound to these. */
  follows: readonly EventType[];
  /** True if its queue receives payments' outcomes only for payments that were made for an intent. */
  followsIntentsOnly?: boolean;
  /** How many milliseconds its events are gathered, if nobody waits for their effect: many in one transaction cost less. */
  gathersMs?: number;
  /** True if the service calls the bank. */
  usesBank: boolean;
  /** True if it moves money there. The calls then go through a journal in the service's schema. */
  keepsJournal: boolean;
  /** Connections to Postgres that each process has besides the usual ones, by purpose. */
  ownConnections?: Readonly<Record<string, number>>;
  /** True if it sends to outside addresses that strangers choose. */
  sendsOutside?: boolean;
  /** True for the gateway alone: callers from outside reach it, and it takes no internal token. */
  isDoor?: boolean;
}

export const urlVariable = (service: string): string => `${service.toUpperCase()}_URL`;

/** The schema of the environment that the service is started with. */
export function configOf(definition: ServiceDefinition): z.ZodObject {
  const { calls, usesBank, isDoor = false } = definition;
  const address = (service: string) => {
    // Optional, because a deployment may leave a service out. The gateway then answers 501 on its routes.
    const variable = isDoor ? url.optional() : url;
    return [urlVariable(service), variable.describe(`Base address of ${service}.`)] as const;
  };
  const environment = z.object({
    ...(isDoor ? doorConfig : serviceConfig),
    ...(usesBank && bankConfig),
    ...Object.fromEntries(calls.map(address)),
    ...definition.config,
  });
  return environment.superRefine(refuseLiveInClear).superRefine(refuseUnknownTokens);
}

/** The service's database schema, with the tables of the libs that it uses. */
export function schemaOf({ name, migrations, insertOnly = [], keepsJournal }: ServiceDefinition): Schema {
  const own = { dir: migrations, table: 'pgmigrations', insertOnly };
  return { name, migrations: [eventsMigrations, ...(keepsJournal ? [bankMigrations] : []), own] };
}

/** The bindings of each service's queue, by the name of the queue. A service that follows no events has no queue. */
export function consumersOf(definitions: readonly ServiceDefinition[]): Record<string, readonly string[]> {
  const followers = definitions.filter(({ follows }) => follows.length > 0);
  return Object.fromEntries(followers.map((definition) => [definition.name, bindingsOf(definition)]));
}

/**
 * A service that follows every type is bound to `#`. So it also gets types that a newer service publishes already, and no event
 * is left without a queue.
 */
const bindingsOf = ({ follows, followsIntentsOnly = false }: ServiceDefinition): readonly string[] =>
  eventTypes.every((type) => follows.includes(type))
    ? ['#']
    : follows.map((type) => bindingOf(type, followsIntentsOnly));
