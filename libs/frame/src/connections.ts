import { PING_CONNECTIONS, POOL_CONNECTIONS } from '@cobro/postgres/database.ts';
import type { ServiceDefinition } from './definition.ts';

/** Settlements of live calls to the bank. */
export const JOURNAL_CONNECTIONS = 5;
/** Settlements of inquiries and of the sweep. */
export const BACKGROUND_CONNECTIONS = 3;

/** On it the outbox listens for events that other processes write. */
const LISTENER_CONNECTIONS = 1;

/** The most connections to Postgres that one process of a service opens, by what they are for. */
export function connectionsOf({ keepsJournal, ownConnections = {} }: ServiceDefinition): Record<string, number> {
  const journal = { 'the journal': JOURNAL_CONNECTIONS, 'settlements by jobs': BACKGROUND_CONNECTIONS };
  return {
    'requests, events, relay and jobs': POOL_CONNECTIONS,
    'hearing of events that commands write': LISTENER_CONNECTIONS,
    readiness: PING_CONNECTIONS,
    ...(keepsJournal ? journal : {}),
    ...ownConnections,
  };
}
