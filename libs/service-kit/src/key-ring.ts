import type { Secret } from '@cobro/contracts/secret.ts';

/**
 * The keys of one purpose. The first key makes all new values; values made with any key are believed. So a key is turned over while
 * services run: the new key is added behind, then put in front, and the old one is removed when none of its values is left.
 */
export type KeyRing = readonly [first: Secret<Buffer>, ...others: Secret<Buffer>[]];

/** Calls `make` with each key of the ring; the first key's result comes first. */
export const byEach = <T>([first, ...others]: KeyRing, make: (key: Secret<Buffer>) => T): [T, ...T[]] => [
  make(first),
  ...others.map(make),
];
