import { setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from '@cobro/async/semaphore.ts';

/** Runs `work` when the caller's turn has come. */
export type InTurn = <T>(caller: string, work: () => Promise<T>) => Promise<T>;

export interface TurnsOptions {
  /** How many works of one caller run at once at most. */
  perCaller: number;
  /** How long a work waits for its turn before it fails with what `refusal` makes. */
  withinMs: number;
  refusal: () => Error;
  /**
   * How long a turn rests after a work, by how long the work took and for how long works of this caller have been waiting without a
   * pause. The caller has its answer meanwhile.
   */
  restMs: (tookMs: number, waitingForMs: number) => number;
}

interface Caller {
  /** Works that wait or run. */
  asked: number;
  /** Since when some of them wait: a `performance.now()` value. */
  waitingSince: number | undefined;
  resting: number;
}

/** Turns for each caller apart: a caller waits for its own works and never for those of another. */
export function createTurns({ perCaller, withinMs, refusal, restMs }: TurnsOptions): InTurn {
  const permits = createSemaphore({ permits: Infinity, perKey: perCaller, patience: { withinMs, refusal } });
  const callers = new Map<string, Caller>();
  const callerOf = (name: string): Caller => {
    const caller = callers.get(name) ?? { asked: 0, waitingSince: undefined, resting: 0 };
    callers.set(name, caller);
    return caller;
  };
  const rest = async (caller: Caller, begun: number) => {
    const now = performance.now();
    const waitingForMs = now - (caller.waitingSince ?? now);
    caller.resting++;
    await sleep(restMs(now - begun, waitingForMs), undefined, { ref: false });
    caller.resting--;
  };
  return <T>(name: string, work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const caller = callerOf(name);
      if (++caller.asked > perCaller) caller.waitingSince ??= performance.now();
      const end = () => {
        if (--caller.asked <= perCaller) caller.waitingSince = undefined;
      };
      const workAndRest = async () => {
        const begun = performance.now();
        await work().finally(end).then(resolve, reject);
        await rest(caller, begun);
      };
      void permits
        .run(workAndRest, name)
        .catch((refused: unknown) => {
          end();
          reject(refused);
        })
        .finally(() => {
          if (caller.asked + caller.resting === 0) callers.delete(name);
        });
    });
}
