import { type Database, openDatabase } from '@cobro/postgres/database.ts';
import { reporting } from './service.ts';

export interface Reads {
  /** For what merchants read. */
  merchants: Database;
  /** For what partners read: searches of one partner can take these connections and no others. */
  partners: Database;
}

/** A read that takes longer than this is ended and answered with 503, so that no request reads a table to its end. */
const STATEMENT_TIMEOUT_MS = 2_000;

/**
 * The connections of the lists and the detail. They are not those of the projection, so that slow reads never keep an event from
 * being applied.
 */
export function openReads(url: string): Reads {
  const open = (of: keyof Reads, max: number) =>
    openDatabase({
      url,
      schema: reporting.name,
      applicationName: `${reporting.name}-${of}`,
      max,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      settings,
    });
  const { 'reads of merchants': ofMerchants, 'reads of partners': ofPartners } = reporting.ownConnections;
  return { merchants: open('merchants', ofMerchants), partners: open('partners', ofPartners) };
}

const settings = {
  // A plan is made for the values that are asked for, because a filter may match half of all rows or none of them.
  plan_cache_mode: 'force_custom_plan',
  // Compiling a statement takes longer than any of these statements may run.
  jit: 'off',
  // No statement reads so much that starting workers for it would pay.
  max_parallel_workers_per_gather: '0',
  // Most pages are in memory, so an index is not as dear as the server's own setting says.
  random_page_cost: '1.1',
  // Every filter has an index. Where statistics are stale or missing, the planner must not take the whole table instead.
  enable_seqscan: 'off',
};
