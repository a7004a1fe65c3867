import { z } from 'zod';
import { askedBy } from './asked-by.ts';

const organizationId = z.uuid();
const partnerId = z.uuid();

/** For whom a person acts. */
const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('organization'), organizationId }),
  z.object({ kind: z.literal('partner'), partnerId }),
]);

/** What a person is in that scope. */
export const role = z.enum(['read-only', 'viewer', 'operator', 'owner']);
export type Role = z.output<typeof role>;

/** When a second factor of the person was proved last, by real time. */
const provedAt = z.iso.datetime();

const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merchant'), by: askedBy, organizationId }),
  z.object({ kind: z.literal('partner'), by: askedBy, partnerId }),
  z.object({ kind: z.literal('terminal'), keyId: z.uuid(), terminalId: z.uuid(), organizationId }),
  z.object({ kind: z.literal('public') }),
  z.object({ kind: z.literal('service'), name: z.string() }),
  /** Whoever runs the platform. The dashboard says so of a person, and only contracts of the platform take it. */
  z.object({ kind: z.literal('platform'), by: askedBy, provedAt }),
  z.object({
    kind: z.literal('person'),
    personId: z.uuid(),
    scope,
    role,
    provedAt,
  }),
]);
export type Caller = z.output<typeof kinds>;
export type CallerKind = Caller['kind'];
export type CallerOf<K extends CallerKind> = Extract<Caller, { kind: K }>;

/** A gateway before the dashboard named the key alone. */
const withAskedBy = (given: unknown): unknown => {
  const { kind, keyId, by } = (given ?? {}) as { kind?: unknown; keyId?: unknown; by?: unknown };
  const isOld = (kind === 'merchant' || kind === 'partner') && by === undefined;
  return isOld ? { ...(given as object), by: { kind: 'key', id: keyId } } : given;
};

/**
 * Who a request is from, as an internal token says. The gateway makes of a person the merchant or partner for whom that person acts,
 * so that no other service meets one.
 */
export const caller = z.preprocess(withAskedBy, kinds);

/** What a token says of the caller. A service before the dashboard looks for the key's id. */
export const callerInToken = (from: Caller): object =>
  'by' in from && from.by.kind === 'key' ? { ...from, keyId: from.by.id } : from;
