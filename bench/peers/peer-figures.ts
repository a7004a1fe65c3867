import { percentile } from '../figures.ts';
import type { Report } from '../drive.ts';
import type { MeasuredSystem } from './system.ts';

/** One run of one system. CPU in milliseconds a pair; NaN on a machine without /proc. */
export interface PeerRun {
  system: MeasuredSystem['name'];
  /** Merchants at once. */
  atOnce: number;
  /** Which alternation it was, from 1 on. */
  round: number;
  perSecond: number;
  p50: number;
  p95: number;
  /** CPU of its servers together. */
  serverCpu: number;
  /** CPU of its servers, Postgres and, if the system uses it, RabbitMQ. */
  allCpu: number;
  /** CPU of each process. */
  cpu: Record<string, number>;
  failed: number;
}

/** Figures whose median, lowest and highest of the rounds a table shows. */
export const MEASURED = ['perSecond', 'p50', 'p95', 'serverCpu', 'allCpu'] as const;

/** @param cpu milliseconds a pair of each process in the run; `servers` are the system's own processes */
export function peerRun(
  about: Pick<PeerRun, 'system' | 'atOnce' | 'round'>,
  report: Report,
  { cpu, servers }: { cpu: Record<string, number>; servers: string[] },
): PeerRun {
  const sum = (names: string[]) => names.reduce((total, name) => total + (cpu[name] ?? Number.NaN), 0);
  return {
    ...about,
    perSecond: report.done / report.seconds,
    p50: percentile(report.latencies, 0.5),
    p95: percentile(report.latencies, 0.95),
    serverCpu: sum(servers),
    allCpu: sum(Object.keys(cpu)),
    cpu,
    failed: report.failed,
  };
}
