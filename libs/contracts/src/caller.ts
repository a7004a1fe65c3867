import { z } from 'zod';

/** Who a request is from, as an internal token of the gateway or of a service says. */
export const caller = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merchant'), keyId: z.uuid(), organizationId: z.uuid() }),
  z.object({ kind: z.literal('partner'), keyId: z.uuid(), partnerId: z.uuid() }),
  z.object({ kind: z.literal('terminal'), keyId: z.uuid(), terminalId: z.uuid(), organizationId: z.uuid() }),
  z.object({ kind: z.literal('public') }),
  z.object({ kind: z.literal('service'), name: z.string() }),
]);
export type Caller = z.output<typeof caller>;
export type CallerKind = Caller['kind'];
export type CallerOf<K extends CallerKind> = Extract<Caller, { kind: K }>;
