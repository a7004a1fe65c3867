import { z } from 'zod';

/** Who asks: a key, or a person in the dashboard. */
export const askedBy = z.strictObject({ kind: z.enum(['key', 'person']), id: z.uuid() });
export type AskedBy = z.output<typeof askedBy>;
