import { ErrorReply } from 'redis';
import type { Log } from './log.ts';

/** The fall-back ends after this long without a failure, so that a Redis at its limits does not log a line per request. */
const CALM_MS = 1_000;
/** Errors of a cluster that is asked like a single server: only some keys would be counted together, so none is. */
const FOR_A_CLUSTER = /^(MOVED|ASK|CROSSSLOT)$/;

type State = 'opening' | 'works' | 'does not answer' | 'refuses' | 'is a cluster' | 'closed';

/** Logs one line when this process begins to keep the limits alone, and one when all keep them together again. */
export function watchHealth(log: Log) {
  let state: State = 'opening';
  let failedAt = Number.NEGATIVE_INFINITY;
  const fail = (next: State, say: () => void): undefined => {
    failedAt = performance.now();
    const isWorse = state === 'does not answer' && next !== 'does not answer';
    if (state !== 'opening' && state !== 'works' && !isWorse) return;
    state = next;
    say();
  };
  return {
    works: () => state === 'opening' || state === 'works',
    /** Whether Redis replies but refuses what limits need. */
    refuses: () => state === 'refuses' || state === 'is a cluster',
    isUsable: () => state !== 'is a cluster' && state !== 'closed',
    failed: (error: unknown): undefined => {
      const code = error instanceof ErrorReply ? codeOf(error) : undefined;
      if (code === undefined) {
        return fail('does not answer', () =>
          log.warn({ error }, 'Redis does not answer: this process keeps the limits alone'),
        );
      }
      const isCluster = FOR_A_CLUSTER.test(code);
      const hint = isCluster ? ', because it is a cluster and its address does not end in ?mode=cluster' : '';
      return fail(isCluster ? 'is a cluster' : 'refuses', () =>
        log.error({ error }, `Redis answers ${code}${hint}: this process keeps the limits alone`),
      );
    },
    /** Redis was not even asked. Nothing is logged while the first connection is being made. */
    unreachable: (): undefined => {
      if (state === 'opening' || state === 'is a cluster') return;
      const reason = 'not connected, or silent';
      fail('does not answer', () => log.warn({ reason }, 'Redis does not answer: this process keeps the limits alone'));
    },
    replied: () => {
      if (state === 'opening') state = 'works';
      const isAlone = state === 'does not answer' || state === 'refuses';
      if (!isAlone || performance.now() - failedAt < CALM_MS) return;
      state = 'works';
      log.info({}, 'Redis answers again: all processes keep the limits together');
    },
    close: () => {
      state = 'closed';
    },
  };
}

/** The word with which Redis begins an error reply. */
const codeOf = ({ message }: ErrorReply): string => /^[A-Z]+/.exec(message)?.[0] ?? 'ERR';
