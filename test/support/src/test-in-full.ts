import { describe, test } from '@jest/globals';
import { inFull } from './in-full.ts';

/** Tests that `npm test` leaves out: they take long, and a shorter one there would notice most of what they notice. */
export const testInFull = inFull ? test : test.skip;
export const describeInFull = inFull ? describe : describe.skip;
