import { failed, type Reply } from './localstripe.client.ts';

/**
 * "Stripe's idempotency works by saving the resulting status code and body of the first request made for any given idempotency key,
 * regardless of whether it succeeds or fails. Subsequent requests with the same key return the same result, including 500 errors… The
 * idempotency layer compares incoming parameters to those of the original request and errors if they're not the same."
 */
export function stripeKeys() {
  const saved = new Map<string, { request: string; reply: Reply | undefined }>();
  let turn: Promise<unknown> = Promise.resolve();
  /** One request at a time, as Stripe locks the object that a request changes. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  return {
    /** "…removed from the system automatically after they're at least 24 hours old." */
    forget: () => saved.clear(),
    once: async (key: string | undefined, request: string, work: () => Promise<Reply>): Promise<Reply> => {
      if (key === undefined) return inTurn(work);
      const known = saved.get(key);
      if (known !== undefined && known.request !== request) return failed(400, { type: 'idempotency_error' });
      if (known !== undefined) {
        return known.reply ?? failed(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' });
      }
      const entry: { request: string; reply: Reply | undefined } = { request, reply: undefined };
      saved.set(key, entry);
      entry.reply = await inTurn(work);
      return entry.reply;
    },
  };
}
