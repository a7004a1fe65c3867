import { z } from 'zod';
import { askedBy } from './asked-by.ts';

const organizationId = z.uuid();
const partnerId = z.uuid();

/** The organization or partner for which a person acts. */
const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('organization'), organizationId }),
  z.object({ kind: z.literal('partner'), partnerId }),
]);

/** A person's role in that scope. */
export const role = z.enum(['read-only', 'viewer', 'operator', 'owner']);
export type Role = z.output<typeof role>;

/** When the person last proved a second factor, in real time. */
const provedAt = z.iso.datetime();

const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('merchant'), by: askedBy, organizationId }),
  z.object({ kind: z.literal('partner'), by: askedBy, partnerId }),
  z.object({ kind: z.literal('terminal'), keyId: z.uuid(), terminalId: z.uuid(), organizationId }),
  z.object({ kind: z.literal('public') }),
  z.object({ kind: z.literal('service'), name: z.string() }),
  /** A person who runs the platform, as the dashboard says. Only the platform's contracts accept this kind. */
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

/** A gateway of a release before the dashboard sends `keyId` without `by`. */
const withAskedBy = (given: unknown): unknown => {
  const { kind, keyId, by } = (given ?? {}) as { kind?: unknown; keyId?: unknown; by?: unknown };
  const isOld = (kind === 'merchant' || kind === 'partner') && by === undefined;
  return isOld ? { ...(given as object), by: { kind: 'key', id: keyId } } : given;
};

/**
 * The caller in an internal token. The gateway turns a person into the merchant or partner for whom that person acts, so that no
 * other service gets a person as its caller.
 */
export const caller = z.preprocess(withAskedBy, kinds);

/** The caller as a token has it. A service of a release before the dashboard reads `keyId`. */
export const callerInToken = (from: Caller): object =>
  'by' in from && from.by.kind === 'key' ? { ...from, keyId: from.by.id } : from;
