import { refuseField } from '@cobro/contracts/validation.ts';
import { masked } from './masked-text.ts';

/** No body of ours is nested deeper than five. */
const DEEPEST = 32;

/** Up to sixteen characters without an exponent are digits that a double holds, or more than 2^53. */
const MAY_BE_INEXACT = /[\d.]{17}|\de/i;

/**
 * The value of a JSON text, without what JSON.parse gets wrong in silence. A number whose digits a double cannot hold becomes NaN,
 * which no schema takes; one above 2^53 stays, because it is too great for every field. @throws SyntaxError; Refusal where a name
 * stands twice in one object
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  refuseRepeatedNames(text);
  return MAY_BE_INEXACT.test(text) ? (JSON.parse(text, exactNumbers) as unknown) : value;
}

function exactNumbers(_name: string, value: unknown, context?: { source: string }): unknown {
  const source = context?.source ?? '';
  if (typeof value !== 'number' || !MAY_BE_INEXACT.test(source)) return value;
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return value;
  return decimalOf(source) === decimalOf(String(value)) ? value : NaN;
}

/** The same text for every way to write one value: `1.50` and `15e-1` are 15e-1. `source` is a number as JSON has it. */
function decimalOf(source: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)\.?(\d*)(?:e(.+))?$/i.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end === 0 ? '0' : `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

interface Nested {
  names: Set<string>;
  /** The last of these names; empty in an array. */
  last: string;
}

/** JSON.parse keeps the last of two equal names in silence. One pass over a text that is JSON. */
function refuseRepeatedNames(text: string): void {
  const open: Nested[] = [];
  let string = '';
  for (let at = 0; at < text.length; at++) {
    switch (text.charAt(at)) {
      case '"': {
        const end = endOfString(text, at);
        string = text.slice(at, end);
        at = end - 1;
        break;
      }
      case ':':
        addName(open, JSON.parse(string) as string);
        break;
      case '{':
      case '[':
        // The pass with `exactNumbers` calls itself for each level.
        if (open.length === DEEPEST) throw refuseField('', `must not be nested more than ${DEEPEST} deep`);
        open.push({ names: new Set(), last: '' });
        break;
      case '}':
      case ']':
        open.pop();
    }
  }
}

/** Where the string that begins at `start` has ended. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function addName(open: Nested[], name: string): void {
  const inside = open.at(-1);
  if (inside === undefined) return;
  inside.last = name;
  if (!inside.names.has(name)) return void inside.names.add(name);
  const path = open.map(({ last }) => last).filter((step) => step !== '');
  throw refuseField(masked(path.join('.')), 'must be given once');
}
