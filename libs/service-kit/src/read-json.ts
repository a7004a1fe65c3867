import { refuseField } from '@cobro/contracts/validation.ts';
import { masked } from './masked-text.ts';

/** No body of ours is nested deeper than five. */
const DEEPEST = 32;

/** A double holds any number of up to sixteen characters without an exponent, unless it is above 2^53. */
const MAY_BE_INEXACT = /[\d.]{17}|\de/i;

/**
 * Parses JSON without the silent errors of JSON.parse. A number whose digits a double cannot hold becomes NaN, which no schema
 * takes; a number above 2^53 stays, because it is too great for every field. @throws SyntaxError; Refusal if an object has a name
 * twice, or is nested too deep
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

/** Refuses equal names in one object: JSON.parse silently keeps the last. `text` must be JSON. */
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
        // JSON.parse with `exactNumbers` recurses for each level.
        if (open.length === DEEPEST) throw refuseField('', `must not be nested more than ${DEEPEST} deep`);
        open.push({ names: new Set(), last: '' });
        break;
      case '}':
      case ']':
        open.pop();
    }
  }
}

/** The index after the string that begins at `start`. */
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
