/**
 * What a look for the next intent brought. `none left`: no intent of the organization waits for any terminal, so that nobody else
 * needs to look for one.
 */
export type Look<Intent> = { intent: Intent; wasUnassigned: boolean } | 'nothing' | 'none left';

export interface WaitRequest<Intent> {
  terminalId: string;
  organizationId: string;
  waitMs: number;
  look: () => Promise<Look<Intent>>;
  /** Registers what to do if the caller leaves. */
  onceLeft: (listener: () => void) => void;
}

/** A terminal's request that waits. Whoever ends or serves it first takes it off the roster. */
export interface Waiter<Intent> extends Pick<WaitRequest<Intent>, 'terminalId' | 'organizationId' | 'look'> {
  serve: (intent: Intent) => void;
  end: () => void;
}

/** Who waits at this replica: one request of a terminal at the most. */
export interface Roster<Intent> {
  enter(request: WaitRequest<Intent>, done: (intent: Intent | undefined) => void): Waiter<Intent>;
  of(terminalId: string): Waiter<Intent> | undefined;
  /** Those who have waited longest come first. */
  ofOrganization(organizationId: string): Waiter<Intent>[];
  all(): Waiter<Intent>[];
}

export function createRoster<Intent>(): Roster<Intent> {
  const waiters = new Map<string, Waiter<Intent>>();
  const byOrganization = new Map<string, Set<Waiter<Intent>>>();
  const leave = (waiter: Waiter<Intent>) => {
    if (waiters.get(waiter.terminalId) === waiter) waiters.delete(waiter.terminalId);
    const colleagues = byOrganization.get(waiter.organizationId);
    if (colleagues?.delete(waiter) === true && colleagues.size === 0) byOrganization.delete(waiter.organizationId);
  };
  return {
    enter: ({ terminalId, organizationId, look }, done) => {
      const finish = (intent?: Intent) => {
        leave(waiter);
        done(intent);
      };
      const waiter: Waiter<Intent> = { terminalId, organizationId, look, serve: finish, end: () => finish() };
      // A terminal that asks again has given its earlier request up.
      waiters.get(terminalId)?.end();
      waiters.set(terminalId, waiter);
      byOrganization.set(organizationId, (byOrganization.get(organizationId) ?? new Set()).add(waiter));
      return waiter;
    },
    of: (terminalId) => waiters.get(terminalId),
    ofOrganization: (organizationId) => [...(byOrganization.get(organizationId) ?? [])],
    all: () => [...waiters.values()],
  };
}
