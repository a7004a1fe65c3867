import { createRoster, type Look, type Roster, type WaitRequest, type Waiter } from './roster.ts';

/** The terminals that wait at this replica. Waiting costs memory only: nobody looks until something may have come. */
export interface WaitingTerminals<Intent> {
  /** The terminal's next intent; undefined where none came in time, or where the process ends. */
  wait(request: WaitRequest<Intent>): Promise<Intent | undefined>;
  /** An intent may have come for this terminal. */
  wakeTerminal(terminalId: string): void;
  /** An intent may have come that any terminal of the organization may take. */
  wakeOrganization(organizationId: string): void;
  /** Anything may have come, because for a while nobody told. */
  wakeAll(): void;
  /** Ends all waiting; from now on nobody waits. */
  drain(): void;
}

/** How many look at once after an interruption. Each look takes a database connection. */
const LOOKERS = 4;

export function createWaitingTerminals<Intent>(onError: (error: unknown) => void): WaitingTerminals<Intent> {
  const roster = createRoster<Intent>();
  let draining = false;
  return {
    wait: async (request) => {
      if (draining || request.waitMs === 0) {
        const look = await request.look();
        return typeof look === 'object' ? look.intent : undefined;
      }
      const { promise, resolve } = Promise.withResolvers<Intent | undefined>();
      const waiter = roster.enter(request, resolve);
      const timer = setTimeout(waiter.end, request.waitMs);
      request.onceLeft(waiter.end);
      try {
        // Only now, so that nothing can come between the look and the entry.
        await lookFor(roster, waiter);
        return await promise;
      } finally {
        clearTimeout(timer);
        waiter.end();
      }
    },
    wakeTerminal: (terminalId) => {
      const waiter = roster.of(terminalId);
      if (waiter !== undefined) lookFor(roster, waiter).catch(onError);
    },
    wakeOrganization: (organizationId) => {
      offerTo(roster, roster.ofOrganization(organizationId)).catch(onError);
    },
    wakeAll: () => {
      const all = roster.all().values();
      const lookOn = async () => {
        for (const waiter of all) await lookFor(roster, waiter);
      };
      for (let i = 0; i < LOOKERS; i++) lookOn().catch(onError);
    },
    drain: () => {
      draining = true;
      for (const waiter of roster.all()) waiter.end();
    },
  };
}

async function lookFor<Intent>(roster: Roster<Intent>, waiter: Waiter<Intent>): Promise<Look<Intent>> {
  // One that has been served, or has gone, must not take what another could.
  if (roster.of(waiter.terminalId) !== waiter) return 'nothing';
  const look = await waiter.look();
  if (typeof look === 'object') waiter.serve(look.intent);
  return look;
}

/** One waiter after the other looks, because only one can take what came. */
async function offerTo<Intent>(roster: Roster<Intent>, colleagues: Waiter<Intent>[]): Promise<void> {
  for (const waiter of colleagues) {
    const look = await lookFor(roster, waiter);
    if (look === 'none left' || (typeof look === 'object' && look.wasUnassigned)) return;
  }
}
