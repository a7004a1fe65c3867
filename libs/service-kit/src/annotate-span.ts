import type { AskedBy } from '@cobro/contracts/asked-by.ts';
import type { Caller, CallerOf } from '@cobro/contracts/caller.ts';
import { type SpanIds, uuidOnly } from '@cobro/contracts/span-ids.ts';
import { trace } from '@opentelemetry/api';

/** Writes ids on the current request's span, so that its trace is found by them. Undefined ids are left out. */
export function annotateSpan(ids: SpanIds): void {
  trace.getActiveSpan()?.setAttributes({ ...ids });
}

/** Behind the gateway a person appears as the merchant or partner for whom they act. */
export function idsOfCaller(caller: Caller): SpanIds {
  switch (caller.kind) {
    case 'merchant':
      return { ...idsOfAsker(caller.by), organizationId: caller.organizationId };
    case 'partner':
      return { ...idsOfAsker(caller.by), partnerId: caller.partnerId };
    case 'terminal':
      return { keyId: caller.keyId, terminalId: caller.terminalId, organizationId: caller.organizationId };
    case 'platform':
      return idsOfAsker(caller.by);
    case 'person':
      return { personId: caller.personId, ...scopeIds(caller.scope) };
    case 'public':
    case 'service':
      return {};
  }
}

const scopeIds = (scope: CallerOf<'person'>['scope']): SpanIds =>
  scope.kind === 'organization' ? { organizationId: scope.organizationId } : { partnerId: scope.partnerId };

const idsOfAsker = ({ kind, id }: AskedBy): SpanIds => (kind === 'key' ? { keyId: id } : { personId: id });

/** Which id a path's parameter is, by the segment before it. A hold has the id of its payment. */
const NAMED_BY: Readonly<Record<string, keyof SpanIds>> = {
  payment: 'paymentId',
  payments: 'paymentId',
  holds: 'paymentId',
  'payment-method': 'paymentMethodId',
  'payment-intent': 'paymentIntentId',
  'payment-intents': 'paymentIntentId',
  'one-time-payment': 'oneTimePaymentId',
  'payment-link': 'paymentLinkId',
  subscription: 'subscriptionId',
};

/** Finds the ids in the paths of one template, such as `/payment-method/:id/payment/:paymentId`. */
export function idsInPath(template: string): (params: Readonly<Record<string, unknown>>) => SpanIds {
  const segments = template.split('/');
  const named = segments.flatMap((segment, i) => {
    const name = segment.startsWith(':') ? NAMED_BY[segments[i - 1] ?? ''] : undefined;
    return name === undefined ? [] : [[name, segment.slice(1)] as const];
  });
  return (params) => Object.fromEntries(named.map(([name, param]) => [name, uuidOnly(params[param])]));
}

/** Which id the `id` in an answer is, for routes that make something. */
const MADE_BY: Readonly<Record<string, keyof SpanIds>> = {
  'POST /payment-method': 'paymentMethodId',
  'POST /payment-method/:id/payment': 'paymentId',
  'POST /payment-intent': 'paymentIntentId',
  'POST /one-time-payment': 'oneTimePaymentId',
  'POST /payment-link': 'paymentLinkId',
  'POST /subscription': 'subscriptionId',
  'POST /payment-link/:id/payment': 'paymentId',
};

/** The id of what an answer is about, also if an earlier request made it. */
export function idsInAnswer({ method, path }: { method: string; path: string }, body: unknown): SpanIds {
  const { id, paymentId } = (body ?? {}) as { id?: unknown; paymentId?: unknown };
  const made = MADE_BY[`${method} ${path}`];
  return { paymentId: uuidOnly(paymentId), ...(made !== undefined && { [made]: uuidOnly(id) }) };
}
