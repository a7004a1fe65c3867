import { z } from 'zod';
import type { CallerOf } from './caller.ts';

/** Who asked for an operation at the bank: a key, or a person in the dashboard. */
export const askedBy = z.strictObject({ kind: z.enum(['key', 'person']), id: z.uuid() });
export type AskedBy = z.output<typeof askedBy>;

export const askedByOf = ({ keyId }: CallerOf<'merchant'>): AskedBy => ({ kind: 'key', id: keyId });
