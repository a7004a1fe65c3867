import { pause } from '@cobro/async/time-limit.ts';
import type { Log } from './log.ts';

export interface Job {
  /** Waits for a run that has begun. */
  stop(): Promise<void>;
}

/** Timed work in every replica. It runs again at once while it finds something to do, otherwise after `everyMs` of real time. */
export function startJob(options: { name: string; everyMs: number; log: Log; run: () => Promise<number> }): Job {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const done = await options.run().catch((error: unknown) => {
        options.log.error({ error, job: options.name }, 'job failed');
        return 0;
      });
      if (done === 0) await pause(options.everyMs, stopping.signal);
    }
  };
  const running = loop();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
