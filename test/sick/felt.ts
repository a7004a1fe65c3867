import { percentile, tableOf as table } from '../../bench/figures.ts';
import type { Ended } from './traffic.ts';

/** What healthy merchants felt during a fault, and for how long. Times are milliseconds, shares 0 to 1. */
export interface Felt {
  fault: string;
  reads: Lane;
  money: Lane;
  /** How many operations were answered 202, because their outcome was unknown. */
  unknown: number;
  /** From the end of the fault to when the last refused request was sent; 0 if none was refused. */
  answeredAfterMs: number;
  /** From the end of the fault until all books agreed. */
  settledAfterMs: number | undefined;
  problems: string[];
}

interface Lane {
  count: number;
  p50: number;
  p99: number;
  /** Share of the requests that got 5xx or no answer. */
  refused: number;
}

export const isRefused = ({ status }: Pick<Ended, 'status'>): boolean => status === 0 || status >= 500;

export function laneOf(ended: readonly Ended[], reads: boolean): Lane {
  const of = ended.filter((one) => one.reads === reads);
  const ms = of.map((one) => one.ms);
  const refused = of.filter(isRefused).length / of.length;
  return { count: of.length, p50: percentile(ms, 0.5), p99: percentile(ms, 0.99), refused };
}

/** What healthy merchants felt of a fault that nobody may feel, compared with the time when nothing was sick. */
export function feltAfterAll(money: Lane, reads: Lane, quiet: Lane): string[] {
  const refused = money.refused + reads.refused > 0 ? ['others were refused'] : [];
  const slow =
    money.p50 > MOST_SLOWER * quiet.p50 ? [`others waited ${money.p50.toFixed(0)} ms for money, at p50`] : [];
  return [...refused, ...slow];
}

const MOST_SLOWER = 3;

const DECLINED = new Set(['CHARGE_DECLINED', 'CAPTURE_DECLINED', 'RELEASE_DECLINED', 'REFUND_DECLINED']);

/** The answer in words, if the interface does not allow it for a correct request; else undefined. */
export function strange(ended: Ended, onlyBank: boolean): string | undefined {
  const { what, status, code, retryAfter } = ended;
  const request = `${what}: ${status} ${code ?? ''}`.trim();
  if (status === 200 || status === 201) return undefined;
  if (status === 202 || status === 503) return retryAfter === '1' ? undefined : `${request} without Retry-After`;
  // A later inquiry may find that the bank never saw the operation.
  if (status === 402 && DECLINED.has(code ?? '')) return undefined;
  if (status === 409 && code?.endsWith('_IN_PROGRESS')) return undefined;
  if (!onlyBank && ((status === 502 && code === 'BAD_GATEWAY') || (status === 504 && code === 'GATEWAY_TIMEOUT'))) {
    return undefined;
  }
  return request;
}

/** Each sentence once, with its count. */
export function counted(sentences: (string | undefined)[]): string[] {
  const all = Map.groupBy(
    sentences.filter((sentence) => sentence !== undefined),
    (sentence) => sentence,
  );
  return [...all].map(([sentence, { length }]) => `${sentence} (${length} times)`);
}

/** As Markdown. */
export function tableOf(felt: readonly Felt[]): string {
  const share = (of: number) => `${(of * 100).toFixed(of > 0 && of < 0.1 ? 1 : 0)} %`;
  const lane = ({ p50, p99, refused }: Lane) => [`${p50.toFixed(0)} / ${p99.toFixed(0)}`, share(refused)];
  const seconds = (ms: number | undefined) => (ms === undefined ? 'never' : (ms / 1_000).toFixed(1));
  const lanes = ['reads p50 / p99, ms', 'refused', 'money p50 / p99, ms', 'refused'];
  const rows = felt.map((of) => [
    of.fault,
    ...lane(of.reads),
    ...lane(of.money),
    of.unknown,
    seconds(of.answeredAfterMs),
    seconds(of.settledAfterMs),
  ]);
  return table(['what is sick', ...lanes, '202', 'answered as before after, s', 'settled after, s'], rows);
}
