import { hash } from 'node:crypto';

/** How a key is known at rest and in memory: SHA-256, as hex. 256 random bits need neither salt nor a slow hash. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'hex');
