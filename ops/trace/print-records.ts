import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import type { Records } from './records.ts';
import { clockOf, pesos, spanOfTime } from './words.ts';

const clock = (date: Date) => clockOf(date.getTime() * 1_000);

/** A payment as its services see it now, and when it moved. */
export function aboutPayment(payment: Records['payments'][number], records: Records): string {
  const { id, status, amount, heldAmount, declineCode, organizationId } = payment;
  const held = heldAmount === null || heldAmount === amount ? '' : ` of ${pesos(heldAmount)} held`;
  const made = [
    ['saved card', payment.paymentMethodId],
    ['one-time', payment.oneTimePaymentId],
    ['payment link', payment.paymentLinkId],
    ['subscription', payment.subscriptionId],
    ['intent', payment.paymentIntentId],
    ['promotion', payment.promotionId],
  ] as const;
  return [
    `Payment ${id}: ${status}, ${pesos(amount)}${held}${declineCode === null ? '' : ` (${declineCode})`}`,
    ...made.flatMap(([what, of]) => (of === null ? [] : [`  ${what.padEnd(13)}${of}`])),
    `  organization ${organizationId}`,
    `  seen as      ${seenAs(payment, records).join(', ')}`,
    ...movesOf(payment).flatMap(([what, at], i) =>
      at === null ? [] : [`  ${what.padEnd(13)}${clock(at)}${i === 0 ? ' UTC (business time)' : ''}`],
    ),
  ].join('\n');
}

function seenAs(payment: Records['payments'][number], { holds, intents, projections }: Records): string[] {
  const { id, status, paymentIntentId } = payment;
  return [
    `payments ${status}`,
    ...holds.filter(({ paymentId }) => paymentId === id).map((hold) => `holds ${hold.status}`),
    ...intents.filter((intent) => intent.id === paymentIntentId).map((intent) => `intents ${intent.status}`),
    ...projections.filter((projection) => projection.id === id).map((projection) => `reporting ${projection.status}`),
  ];
}

const movesOf = (payment: Records['payments'][number]) =>
  [
    ['made', payment.createdAt],
    ['held', payment.heldAt],
    ['window until', payment.holdExpiresAt],
    ['let go at', payment.captureBefore],
    ['captured', payment.capturedAt],
    [payment.status === 'HOLD_EXPIRED' ? 'expired' : 'released', payment.holdReleasedAt],
    ['refunded', payment.refundedAt],
  ] as const;

/** What was asked of the bank, when, and with which outcome, by real time. */
export function aboutOperation(operation: Records['operations'][number]): string[] {
  const { id, acquirer, purpose, amount, claimedAt, reference, settledAt, resolutions } = operation;
  const unused = settledAt === null ? 'which waits' : 'but the bank’s own answer came first';
  return [
    `  ${clock(claimedAt)}  ${purpose.padEnd(8)}${amount === null ? '' : `${pesos(amount)}, `}${outcomeOf(operation)}`,
    `      operation ${id}${acquirer === DEFAULT_ACQUIRER ? '' : ` at ${acquirer}`}${reference === null ? '' : `, reference ${reference}`}`,
    ...resolutions.map(
      ({ decidedAt, decidedBy, ending, appliedAt }) =>
        `      ${clock(decidedAt)} ${decidedBy} resolved it as ${ending.outcome}${appliedAt === null ? `, ${unused}` : ''}`,
    ),
  ];
}

function outcomeOf(operation: Records['operations'][number]): string {
  const { status, claimedAt, unansweredAt, settledAt, inquiries, inquireAt, declineCode } = operation;
  const after = (at: Date) => spanOfTime((at.getTime() - claimedAt.getTime()) * 1_000);
  const silence = unansweredAt === null ? [] : [`no answer in ${after(unansweredAt)}`];
  const asked = inquiries === 0 ? [] : [`${inquiries} ${inquiries === 1 ? 'inquiry' : 'inquiries'}`];
  if (settledAt === null) {
    const next = `next at ${clock(inquireAt).slice(11, 19)}`;
    return [unansweredAt === null ? 'not answered yet' : 'unknown', ...silence, ...asked, next].join(', ');
  }
  const why = declineCode === null ? '' : ` (${declineCode})`;
  return [`${status.replace('_', ' ')}${why} after ${after(settledAt)}`, ...silence, ...asked].join(', ');
}

/** An event of the merchant's feed, and where it was sent. */
export function aboutEvent({ id, type, createdAt, deliveries }: Records['events'][number]): string[] {
  return [`  ${clock(createdAt)}  ${type}, event ${id}`, ...deliveries.map((delivery) => `      ${sent(delivery)}`)];
}

function sent({ url, status, attempts, nextAttemptAt, responseStatus, error }: Delivery): string {
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`;
  const answer = responseStatus ?? error;
  const said = answer === null ? '' : `, ${answer}`;
  const next = status === 'DELIVERED' || nextAttemptAt === null ? '' : `, next at ${clock(new Date(nextAttemptAt))}`;
  return `${status === 'DELIVERED' ? 'delivered' : 'waits'}: ${tries}${said}${next}: ${url}`;
}

type Delivery = Records['events'][number]['deliveries'][number];
