import { createHmac } from 'node:crypto';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Keyed hash of a card's number alone, because somebody who tries out cards would try several expiries of one number. It uses the
 * first key, so while keys are turned over a card's declined attempts are counted under both.
 */
export const numberFingerprintOf = ([key]: KeyRing, { number }: { number: Secret<string> }): Buffer =>
  createHmac('sha256', key.reveal()).update(`number\0${number.reveal()}`).digest();
