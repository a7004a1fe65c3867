import type { ServiceName } from '../../services/definitions.ts';

/**
 * What a load needs, by arithmetic from what was measured (docs/performance.md): processes by queueing, cores by CPU, Postgres by
 * commits and bytes. It knows no caches, neighbours or disk; it says where the next limit is, not what a day will be like.
 */

/** Milliseconds of CPU that one payment costs each part. */
export type Cost = Readonly<Record<Part, number>>;
type Part = keyof typeof MEASURED.charge;
export type Server = 'postgres' | 'rabbitmq';
/** Of the services, those that a charge or a pair goes through. */
export type Process = Exclude<Part, Server>;

/**
 * Measured on 22 November 2026 on two virtual cores, telemetry on. A pair is an authorize and its capture. webhooks is estimated from
 * its share beside reporting, which was measured in a slower hour of 24 November.
 */
export const MEASURED = {
  charge: {
    gateway: 0.37,
    payments: 1.11,
    holds: 0.01,
    reporting: 0.24,
    webhooks: 0.21,
    postgres: 0.96,
    rabbitmq: 0.26,
  },
  pair: { gateway: 0.78, payments: 1.99, holds: 1.97, reporting: 0.62, webhooks: 0.43, postgres: 2.8, rabbitmq: 1.23 },
} as const satisfies Record<string, Partial<Record<ServiceName | Server, number>>>;

const parts = Object.keys(MEASURED.charge) as Part[];
const isServer = (part: Part): part is Server => part === 'postgres' || part === 'rabbitmq';
const of = <P extends Part, T>(some: readonly P[], value: (part: P) => T) =>
  Object.fromEntries(some.map((part) => [part, value(part)])) as Record<P, T>;

export interface Assumptions {
  /** Part of the payments that are holds with a capture; the others are charges. */
  pairs: number;
  /** Requests that only read, for each payment. Each costs about what the gateway and reporting pay for a charge. */
  reads: number;
  /** Part of a day's payments in its fullest hour. */
  fullestHour: number;
  /** How much more than in the average second of that hour comes in its fullest second. */
  burst: number;
  /** How long the bank takes, in milliseconds. */
  bankMs: number;
  /** A process' share of a core that it may use in the fullest second. A process has one thread. */
  busiest: number;
  /** Milliseconds that at most one in a hundred requests may wait for a process. */
  waitMs: number;
  /** The part of Postgres' cores that may be used: vacuum, backups and searches take the rest. */
  postgresBusiest: number;
}

export const ASSUMED: Assumptions = {
  pairs: 0.2,
  reads: 2,
  fullestHour: 0.12,
  burst: 3,
  bankMs: 300,
  busiest: 0.6,
  waitMs: 10,
  postgresBusiest: 0.5,
};

/** Ten million payments in three years: what docs/growth.md is about. */
export const TODAY_PER_DAY = 10_000_000 / (3 * 365);

/** Calls to the bank that one process of payments has under way at most. */
const CALLS_AT_ONCE = 256;
/** Commits that wait for the disk: the claim and the settlement of a charge; of a pair twice that and two hand-overs. */
const COMMITS = { charge: 2, pair: 6 };
/** Measured with 20,000 seeded payments: all tables with their indexes, half of it reporting's. */
export const BYTES_A_PAYMENT = 4_200;

export interface Needs {
  perDay: number;
  /** Payments in the fullest second. */
  perSecond: number;
  /** Processes of each service, one more than the load needs, because one may be away. */
  processes: Record<Process, number>;
  /** Cores of a single Postgres, and of a single broker. */
  cores: Record<Server, number>;
  commitsPerSecond: number;
  gigabytesPerYear: number;
}

/** What a number of payments a day needs. */
export function needsOf(perDay: number, assumed: Assumptions = ASSUMED): Needs {
  const perSecond = ((perDay * assumed.fullestHour) / 3_600) * assumed.burst;
  const cost = costOf(assumed);
  const processesOf = (process: Process) => {
    const byCpu = processesFor({ perSecond, serviceMs: cost[process], ...assumed });
    const underWay = (perSecond * assumed.bankMs) / 1_000;
    const byBank = process === 'payments' ? Math.ceil(underWay / (CALLS_AT_ONCE * assumed.busiest)) : 0;
    return Math.max(byCpu, byBank) + 1;
  };
  const coresOf = (server: Server, busiest: number) => Math.ceil((perSecond * cost[server]) / 1_000 / busiest);
  return {
    perDay,
    perSecond,
    processes: of(
      parts.filter((part) => !isServer(part)),
      processesOf,
    ),
    cores: { postgres: coresOf('postgres', assumed.postgresBusiest), rabbitmq: coresOf('rabbitmq', assumed.busiest) },
    commitsPerSecond: perSecond * mixed(assumed, COMMITS.charge, COMMITS.pair),
    gigabytesPerYear: (perDay * 365 * BYTES_A_PAYMENT) / 1e9,
  };
}

const mixed = ({ pairs }: Assumptions, charge: number, pair: number) => (1 - pairs) * charge + pairs * pair;

/** Milliseconds of CPU of each part for one payment, the reads that come with it included. */
function costOf(assumed: Assumptions): Cost {
  const { charge, pair } = MEASURED;
  return of(parts, (part) => {
    const ofReads = part === 'gateway' || part === 'reporting' ? assumed.reads * charge[part] : 0;
    return mixed(assumed, charge[part], pair[part]) + ofReads;
  });
}

/** The fewest processes that are not too busy, and for which hardly anybody waits too long. */
export function processesFor(load: { perSecond: number; serviceMs: number; busiest: number; waitMs: number }): number {
  const { perSecond, serviceMs, busiest, waitMs } = load;
  const offered = (perSecond * serviceMs) / 1_000;
  for (let count = Math.max(1, Math.ceil(offered / busiest)); ; count++) {
    if (waitOfOneIn100(count, offered, serviceMs) <= waitMs) return count;
  }
}

/** Milliseconds that one in a hundred waits at least, where requests come by chance and are served by `servers` alike (M/M/c). */
export function waitOfOneIn100(servers: number, offered: number, serviceMs: number): number {
  if (offered >= servers) return Number.POSITIVE_INFINITY;
  const waits = chanceToWait(servers, offered);
  return waits <= 0.01 ? 0 : (Math.log(100 * waits) * serviceMs) / (servers - offered);
}

/** Erlang's C formula: the chance that all servers are busy. `offered` is the load in servers, below their number. */
export function chanceToWait(servers: number, offered: number): number {
  // Erlang's B, which needs no factorials.
  let blocked = 1;
  for (let n = 1; n <= servers; n++) blocked = (offered * blocked) / (n + offered * blocked);
  return blocked / (1 - (offered / servers) * (1 - blocked));
}
