import { hash } from 'node:crypto';

/** The form in which a key is stored and remembered: SHA-256, as hex. 256 random bits need neither salt nor a slow hash. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'hex');
