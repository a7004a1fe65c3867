import { setTimeout as sleep } from 'node:timers/promises';
import { statement } from '@cobro/postgres/sql.ts';
import { sql } from '@cobro/postgres/database.ts';
import { awake } from './awake.ts';
import type { HttpAnswer, RunningServices } from './start-services.ts';
import { until } from './until.ts';

const SLOW_MS = 5_000;
/**
 * How long before the answer all connections are taken. A reader gives its connection up after waiting two seconds for the lock, and a
 * request gives up waiting for a connection after one. So a request that needs a connection when the answer comes gets none.
 */
const TAKEN_BEFORE_MS = 800;
/** More than the connections for requests, so a request that needs one waits too long. */
const READERS = 40;

export interface AtTheBank {
  id: string;
  subject: string;
}

interface Asked {
  kind: 'tokenize' | 'sale' | 'refund' | 'capture' | 'void';
  ask: () => Promise<HttpAnswer>;
  /** A request that waits for `table` and keeps a connection meanwhile. */
  waiting: { table: string; by: () => Promise<unknown> };
  meanwhile?: ((one: AtTheBank) => Promise<unknown>) | undefined;
}

/** Makes a request to which the bank answers slowly. When the answer comes, no connection is left to read anything. */
export async function answeredUnread(
  services: RunningServices,
  service: 'payments' | 'holds',
  { kind, ask, waiting, meanwhile }: Asked,
): Promise<HttpAnswer> {
  const db = services.db(service);
  await services.bank.setFaults({ next: [{ kind, fault: 'slow' }], slowMs: SLOW_MS });
  const answered = new AbortController();
  const answer = ask().finally(() => answered.abort());
  let open: AtTheBank[] = [];
  await until('it is at the bank', async () => {
    open = await db.many<AtTheBank>(sql`select id, subject_id as subject from bank_operation where status = 'open'`);
    return open.length > 0;
  });
  const seenAt = performance.now();
  await meanwhile?.(open[0] as AtTheBank);
  const wait = async () => {
    while (!answered.signal.aborted) await waiting.by();
  };
  let all: Promise<unknown> = Promise.resolve();
  await sleep(SLOW_MS - TAKEN_BEFORE_MS - (performance.now() - seenAt));
  await db.inTransaction(async (tx) => {
    await tx.run(sql`lock table ${statement(waiting.table)} in access exclusive mode`);
    all = Promise.all(Array.from({ length: READERS }, wait));
    await awake(tx, answer);
  });
  await all;
  return answer;
}

/** Approves the operation, as an inquiry does that gets the bank's answer before the request. */
export const inquiredFirst = (services: RunningServices, service: 'payments' | 'holds', { id }: AtTheBank) =>
  services.db(service).run(sql`
    update bank_operation set status = 'approved', answer = '{"outcome":"approved"}', settled_at = clock_timestamp() where id = ${id}`);
