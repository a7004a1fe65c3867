import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sentence } from '../../dev/stack/servers/server.ts';

/** Waits until a started process answers 200 here. @throws Sentence if it ends before, or takes too long */
export async function untilAnswers(
  url: string,
  { child, withinMs, log }: { child: ChildProcess; withinMs: number; log: string },
): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(500)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Sentence(`It ended before it answered: see ${log}.`);
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return;
  }
  throw new Sentence(`It did not answer at ${url} within ${withinMs / 1_000} s: see ${log}.`);
}
