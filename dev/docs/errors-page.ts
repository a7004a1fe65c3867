import { refusals } from '@cobro/contracts/refusals.ts';
import { code, page, table } from './markdown.ts';

/** Every refusal that a caller can get. */
export function errorsPage(): string {
  const entries: [string, readonly [number, string, number?]][] = Object.entries(refusals);
  return page(
    'Errors',
    'The whole catalogue (`libs/contracts/src/refusals.ts`). A 400, 401, 403, 404, 409, 429 or `BANK_UNAVAILABLE` changes nothing; ' +
      'after a 402 the payment is CANCELLED. After any other 5xx send the same request again: it may have been carried out. A body is `{ "message", "code" }`, on ' +
      '`/developer` exactly these two. Elsewhere `VALIDATION_ERROR` adds `details: [{ "path", "message" }]`, and what the bank ' +
      'declined adds `declineCode` and, where there is a payment, `paymentId`. The message may name the field or the amount. ' +
      'A 401 on the partner API is the plain text `Unauthorized`.',
    table(
      ['status', 'code', 'message', 'Retry-After'],
      entries.map(([name, [status, message, seconds = '']]) => [String(status), code(name), message, String(seconds)]),
    ),
  );
}
