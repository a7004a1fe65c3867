import type { Secret } from '@cobro/contracts/secret.ts';

/**
 * The keys of one purpose. The first makes what is new; what any of them has made is believed. So a key is turned over while everything
 * runs: the new one is added behind, then put in front, and the old one is taken away when nothing of it is left.
 */
export type KeyRing = readonly [first: Secret<Buffer>, ...others: Secret<Buffer>[]];

/** What each key of the ring makes of something, the first key's result first. */
export const byEach = <T>([first, ...others]: KeyRing, make: (key: Secret<Buffer>) => T): [T, ...T[]] => [
  make(first),
  ...others.map(make),
];
