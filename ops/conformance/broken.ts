import { isDeepStrictEqual } from 'node:util';

/** The acquirer breaks a sentence. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

export function must(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Broken(otherwise);
}

export function mustBeSame(one: unknown, other: unknown, what: string): void {
  must(isDeepStrictEqual(one, other), `${what}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`);
}
