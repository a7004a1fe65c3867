import { setTimeout as sleep } from 'node:timers/promises';

/** Tries again each half second where that may help. @throws the last error after `ms` milliseconds */
export async function patiently<T>(
  ms: number,
  attempt: () => Promise<T>,
  mayHelp: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (const end = Date.now() + ms; ; await sleep(500)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end || !mayHelp(error)) throw error;
    }
  }
}
