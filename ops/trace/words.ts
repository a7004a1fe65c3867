import { decimalOf, inThousands } from '@cobro/contracts/amount.ts';
import type { Micros } from './spans.ts';

/** Centavos as pesos: `1,000.00 MXN`. */
export const pesos = (centavos: bigint): string => `${inThousands(decimalOf(centavos))} MXN`;

/** `2026-11-22 09:12:01.003` in UTC. */
export const clockOf = (at: Micros): string => new Date(at / 1_000).toISOString().slice(0, 23).replace('T', ' ');

/** `12.3 ms`, `8.02 s`, `4 min 10 s`, `3 d 2 h`. */
export function spanOfTime(micros: Micros): string {
  const ms = micros / 1_000;
  if (ms < 1_000) return `${ms.toFixed(1)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`;
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  const first = units.findIndex(([, size]) => ms >= size);
  const [[big, bigSize], [small, smallSize]] = [units[first] ?? units[0], units[first + 1] ?? units[3]];
  const rest = Math.floor((ms % bigSize) / smallSize);
  return `${Math.floor(ms / bigSize)} ${big}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** Milliseconds for a column of numbers: `8,013.2`. */
export const column = (micros: Micros): string => inThousands((micros / 1_000).toFixed(1));

/** Cuts in the middle, because the end of a path and its answer matter. */
export const cutInside = (text: string, width: number): string => {
  const tail = Math.floor(width / 3);
  return text.length <= width ? text : `${text.slice(0, width - tail - 1)}…${text.slice(-tail)}`;
};

export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`;
