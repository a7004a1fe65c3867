import { ErrorReply } from 'redis';
import type { Log } from './log.ts';

/** So long nothing may have failed before the fall-back counts as over: a Redis at its limits is not a line per request. */
const CALM_MS = 1_000;
/** A cluster that is asked like a single server: some keys would be counted together and others by each process, so none is. */
const FOR_A_CLUSTER = /^(MOVED|ASK|CROSSSLOT)$/;

type State = 'opening' | 'works' | 'does not answer' | 'refuses' | 'is a cluster' | 'closed';

/** Says by one line when the limits are kept by this process alone, and by one when by all together again. */
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
    /** Whether Redis answers, and refuses what limits need. */
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
    /** It is not even asked. As long as the first connection is on its way this is no news. */
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
