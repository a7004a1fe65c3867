import type { Search } from './partner-payment.rules.ts';

/** Operation codes from the first to the last. */
export interface CodeRange {
  from: number;
  to: number;
}

/** The greatest number before the digits of a long range. */
const BEFORE_OF_LONG = 20;
/** So many codes are in a long range at least. */
const LONG = 100;

/** The long ranges of codes up to `largest` with these digits, which do not overlap, the longest first. */
export const longRangesWith = (digits: string, largest: number): CodeRange[] =>
  disjoint(rangesWith(digits, largest, { mostBefore: BEFORE_OF_LONG, leastLength: LONG })).toSorted(
    (a, b) => b.to - b.from - (a.to - a.from),
  );

/** All codes up to `largest` that are searched for, as ranges that do not overlap, or undefined where these have more than `most` codes. */
export function rangesOfCodes(
  { codeParts, wholeCodes }: Pick<Search, 'codeParts' | 'wholeCodes'>,
  largest: number,
  most: number,
): CodeRange[] | undefined {
  // So many codes at least end with the digits.
  if (codeParts.some((part) => largest / 10 ** part.length > most + 1)) return undefined;
  const whole = wholeCodes.map(Number).map((code) => ({ from: code, to: code }));
  const ofParts = codeParts.flatMap((part) => rangesWith(part, largest, { mostBefore: largest, leastLength: 1 }));
  const ranges = disjoint([...whole, ...ofParts]);
  const codes = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return codes > most ? undefined : ranges;
}

/** Codes that are some number, the digits, and then any so many digits: ranges that begin at `largest` at the latest. */
function rangesWith(
  digits: string,
  largest: number,
  { mostBefore, leastLength }: { mostBefore: number; leastLength: number },
): CodeRange[] {
  const ranges: CodeRange[] = [];
  for (let length = leastLength; length <= largest; length *= 10) {
    // No code begins with 0.
    for (let before = digits.startsWith('0') ? 1 : 0; before <= mostBefore; before++) {
      const from = (before * 10 ** digits.length + Number(digits)) * length;
      if (from > largest) break;
      ranges.push({ from, to: from + length - 1 });
    }
  }
  return ranges;
}

/** Without those that lie in another one. Ranges of digits lie in one another or apart. */
function disjoint(ranges: CodeRange[]): CodeRange[] {
  let end = -1;
  return ranges
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ to }) => {
      const isApart = to > end;
      end = Math.max(end, to);
      return isApart;
    });
}
