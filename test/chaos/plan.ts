import fc from 'fast-check';
import { type ServiceName, serviceNames } from '../../services/definitions.ts';

/** A planned fault, with the process it hits if there are several. Times are seconds from the beginning of the load. */
export interface Planned {
  at: number;
  seconds: number;
  fault: FaultName;
  target?: { service: ServiceName; replica: number };
}

/** The shortest and longest time of each, in seconds. A supervisor starts a killed process again at once. */
const LASTS = {
  'kill a process': [0, 0],
  'halt a process': [2, 10],
  'kill Postgres': [1, 4],
  'halt Postgres': [1, 5],
  'restart the broker': [1, 4],
  'cut the broker': [3, 15],
  'halt the broker': [2, 8],
  'stop Redis': [3, 12],
  'acquirer is silent': [5, 12],
  'acquirer is late': [5, 12],
  'acquirer doubles': [8, 15],
  'acquirer contradicts': [8, 15],
  'acquirer answers rubbish': [4, 10],
  'acquirer is killed': [0, 0],
  'clock passes 23:00': [30, 30],
} as const satisfies Record<string, readonly [number, number]>;
export type FaultName = keyof typeof LASTS;

export const faultNames: readonly FaultName[] = Object.keys(LASTS) as FaultName[];
/** The load runs this long before the first fault and after the last. */
const QUIET_SECONDS = 8;
/** Each jump is a week, and events are kept for 30 days. */
const MOST_JUMPS = 4;
const HIT_MORE_OFTEN: readonly FaultName[] = ['kill a process', 'kill a process', 'halt a process'];

const oneOf = (name: FaultName, services: readonly ServiceName[]) =>
  fc.record({
    fault: fc.constant(name),
    seconds: fc.integer({ min: LASTS[name][0], max: LASTS[name][1] }),
    gap: fc.integer({ min: 2, max: 6 }),
    overlaps: fc.nat(3).map((drawn) => drawn === 0),
    service: fc.constantFrom(...services),
    replica: fc.nat(1),
  });
type Drawn = ReturnType<typeof oneOf> extends fc.Arbitrary<infer T> ? T : never;

/** Every fault once, some more often, in any order. */
const roundOn = (services: readonly ServiceName[]) =>
  fc.tuple(
    fc.tuple(...[...faultNames, ...HIT_MORE_OFTEN].map((name) => fc.noShrink(oneOf(name, services)))),
    fc.array(fc.nat(1_000_000), { minLength: 20, maxLength: 20 }),
  );

/** The faults of a run of that length, oldest first. The same seed gives the same plan. */
export function planOf(seed: number, minutes: number, only = faultNames, services = serviceNames): Planned[] {
  const end = minutes * 60 - QUIET_SECONDS;
  const planned: Planned[] = [];
  let at = QUIET_SECONDS;
  for (const [drawn, order] of fc.sample(fc.noBias(roundOn(services)), { seed, numRuns: Math.ceil(minutes) + 1 })) {
    const shuffled = drawn
      .map((one, position) => ({ one, place: order[position] ?? 0 }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ one }) => one)
      .filter(({ fault }) => only.includes(fault));
    for (const one of shuffled) {
      // The clock moves alone, because a halted process would miss it.
      const isClock = one.fault === 'clock passes 23:00';
      if (isClock && planned.filter(({ fault }) => fault === one.fault).length === MOST_JUMPS) continue;
      if (isClock) at = Math.max(at, ...planned.map((earlier) => earlier.at + earlier.seconds + 2));
      if (at + one.seconds > end) return planned;
      planned.push(toPlanned(at, one));
      at += (one.overlaps && !isClock ? Math.ceil(one.seconds / 2) : one.seconds) + one.gap;
    }
  }
  return planned;
}

function toPlanned(at: number, { fault, seconds, service, replica }: Drawn): Planned {
  const isOfProcess = fault === 'kill a process' || fault === 'halt a process';
  return { at, seconds, fault, ...(isOfProcess && { target: { service, replica } }) };
}
