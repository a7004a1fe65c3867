import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';
import { FORGET_AFTER_S, FREE_FAILURES, MOST_OF_NETWORK, NETWORK_WINDOW_S, waitAfter } from './lock.rules.ts';

export interface Attempt {
  /** A hash of the e-mail, even if nobody has it. */
  account: Buffer;
  /** Whose count it is: a network's, a known browser's, or for a second factor all unknown browsers'. */
  origin: string;
  /** A known browser has a count of its own, so that strangers of its network cannot lock it out. */
  isKnownBrowser: boolean;
  network: string;
}

export type Claim = { kind: 'allowed' } | { kind: 'locked'; untilSeconds: number } | { kind: 'network' };

/** The origin of attempts by unknown browsers of a network. */
export const ofNetwork = (network: string): string => `network ${network}`;

/** The waits of the failures from the fifth on, for the statement below. */
const WAITS = Array.from({ length: 12 }, (_, i) => waitAfter(FREE_FAILURES + i));

/**
 * Counts the attempt as a failure before it is made, so that concurrent attempts cannot pass together; `forgive` takes it back.
 * An attempt while locked neither counts nor prolongs the lock.
 */
export async function claimAttempt(tx: Tx, attempt: Attempt): Promise<Claim> {
  const { account, origin } = attempt;
  if (!attempt.isKnownBrowser && !(await claimOfNetwork(tx, attempt.network))) return { kind: 'network' };
  const counted = await tx.maybe(sql`
    insert into sign_in_lock as known (account, origin, failures, failed_at) values (${account}, ${origin}, 1, clock_timestamp())
    on conflict (account, origin) do update set
      failures = case when known.failed_at < clock_timestamp() - make_interval(secs => ${FORGET_AFTER_S})
        then 1 else known.failures + 1 end,
      failed_at = clock_timestamp(),
      locked_until = case when known.failed_at >= clock_timestamp() - make_interval(secs => ${FORGET_AFTER_S})
        and known.failures + 1 >= ${FREE_FAILURES}
        then clock_timestamp() + make_interval(secs =>
          (${WAITS}::int[])[least(known.failures + 2 - ${FREE_FAILURES}, ${WAITS.length})]) end
    where known.locked_until is null or known.locked_until <= clock_timestamp()
    returning failures`);
  if (counted !== undefined) return { kind: 'allowed' };
  // Nothing was tried, so the network's count is put back.
  if (!attempt.isKnownBrowser) forgiveNetwork(tx, attempt);
  const lock = await tx.maybe<{ seconds: number | null }>(sql`
    select ceil(extract(epoch from locked_until - clock_timestamp()))::int as seconds
    from sign_in_lock where account = ${account} and origin = ${origin}`);
  // An attempt that was right may have ended the wait meanwhile.
  return { kind: 'locked', untilSeconds: Math.max(1, lock?.seconds ?? 1) };
}

/** Takes back an attempt that was right, or was not made. `wholly`: earlier failures are forgotten, too. */
export async function forgive(tx: Tx, attempt: Attempt, wholly: boolean): Promise<void> {
  const { account, origin } = attempt;
  if (!attempt.isKnownBrowser) forgiveNetwork(tx, attempt);
  await tx.run(
    wholly
      ? sql`delete from sign_in_lock where account = ${account} and origin in (${origin}, ${ofNetwork(attempt.network)})`
      : sql`update sign_in_lock set failures = failures - 1, locked_until = null
          where account = ${account} and origin = ${origin} and failures > 0`,
  );
}

/** Whether the network may still fail; if so, counts the attempt. */
export async function claimOfNetwork(tx: Tx, network: string): Promise<boolean> {
  const counted = await tx.maybe(sql`
    insert into network_failures as known (network, began_at, failures) values (${network}, clock_timestamp(), 1)
    on conflict (network) do update set
      began_at = case when known.began_at < clock_timestamp() - make_interval(secs => ${NETWORK_WINDOW_S})
        then clock_timestamp() else known.began_at end,
      failures = case when known.began_at < clock_timestamp() - make_interval(secs => ${NETWORK_WINDOW_S})
        then 1 else known.failures + 1 end
    where known.failures < ${MOST_OF_NETWORK} or known.began_at < clock_timestamp() - make_interval(secs => ${NETWORK_WINDOW_S})
    returning failures`);
  return counted !== undefined;
}

export const forgiveNetwork = (tx: Tx, { network }: Pick<Attempt, 'network'>): void =>
  tx.send(sql`update network_failures set failures = failures - 1 where network = ${network} and failures > 0`);

export const pruneLocks = async (queries: Queries): Promise<void> => {
  await queries.run(sql`
    delete from sign_in_lock where failed_at < clock_timestamp() - make_interval(secs => ${FORGET_AFTER_S})`);
  await queries.run(sql`
    delete from network_failures where began_at < clock_timestamp() - make_interval(secs => ${NETWORK_WINDOW_S})`);
};
