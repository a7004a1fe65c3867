import { createSignals, type Waiter } from '@cobro/async/signals.ts';

/**
 * The result of a look for the next intent. `nothing`: none for this terminal. `none left`: no unassigned one is left, so no
 * other terminal looks.
 */
export type Look<Intent> = { intent: Intent; wasUnassigned: boolean } | 'nothing' | 'none left';

interface WaitRequest<Intent> {
  terminalId: string;
  organizationId: string;
  waitMs: number;
  look: () => Promise<Look<Intent>>;
  /** Registers what to do if the caller leaves. */
  onceLeft: (listener: () => void) => void;
}

/** The terminals that wait at this replica. */
export interface WaitingTerminals<Intent> {
  /** Waits for the terminal's next intent; undefined if none came in time or the process ends. */
  wait(request: WaitRequest<Intent>): Promise<Intent | undefined>;
  /** An intent may have come for this terminal. */
  wakeTerminal(terminalId: string): void;
  /** An intent may have come that any terminal of the organization may take. */
  wakeOrganization(organizationId: string): void;
  /** Anything may have come, because notices were missed for a while. */
  wakeAll(): void;
  /** Ends all waiting; from now on nobody waits. */
  drain(): void;
}

/** How many terminals look at once after an interruption. Each look takes a database connection. */
const LOOKERS = 4;

type Looked<Intent> = Look<Intent> | 'failed';

/** True if no further terminal should look: an unassigned intent was taken, none is left, or the look failed. */
const isTaken = (looked: Looked<unknown> | undefined) =>
  looked === 'none left' || looked === 'failed' || (typeof looked === 'object' && looked.wasUnassigned);

/** Lets one waiter after the other look, until one look is enough. */
async function lookInTurn<Intent>(
  waiters: Iterable<Waiter<Looked<Intent>>>,
  isEnough: (looked: Looked<Intent> | undefined) => boolean,
): Promise<void> {
  for (const waiter of waiters) if (isEnough(await waiter.signal())) return;
}

export function createWaitingTerminals<Intent>(onError: (error: unknown) => void): WaitingTerminals<Intent> {
  const signals = createSignals<Looked<Intent>>();
  let draining = false;
  const failed = (error: unknown) => {
    onError(error);
    return 'failed' as const;
  };
  return {
    wait: async ({ terminalId, organizationId, waitMs, look, onceLeft }) => {
      if (draining || waitMs === 0) {
        const looked = await look();
        return typeof looked === 'object' ? looked.intent : undefined;
      }
      // A terminal that asks again has given up its earlier request.
      for (const earlier of signals.waitingFor(terminalId)) earlier.end();
      const waiter = signals.wait([terminalId, organizationId], waitMs);
      onceLeft(() => waiter.end());
      try {
        let looked: Looked<Intent> = await look();
        while (typeof looked !== 'object') {
          const report = await waiter.next();
          if (report === undefined) return undefined;
          looked = await look().catch(failed);
          report(looked);
        }
        return looked.intent;
      } finally {
        waiter.end();
      }
    },
    wakeTerminal: (terminalId) => signals.waitingFor(terminalId).forEach((waiter) => void waiter.signal()),
    wakeOrganization: (organizationId) => void lookInTurn(signals.waitingFor(organizationId), isTaken),
    wakeAll: () => {
      const all = signals.all().values();
      for (let i = 0; i < LOOKERS; i++) void lookInTurn(all, () => false);
    },
    drain: () => {
      draining = true;
      for (const waiter of signals.all()) waiter.end();
    },
  };
}
