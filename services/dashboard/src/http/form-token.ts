import { createHmac, timingSafeEqual } from 'node:crypto';

/** Bound to the cookie of the session, or before sign-in of the visit: whoever cannot read the cookie cannot make it. */
export const formTokenOf = (cookie: string): string => createHmac('sha256', cookie).update('form').digest('base64url');

export const isFormToken = (sent: string, cookie: string): boolean => {
  const [given, right] = [sent, formTokenOf(cookie)].map((text) => Buffer.from(text));
  return given?.length === right?.length && timingSafeEqual(given as Buffer, right as Buffer);
};

/** Whether the request came from a page of ours, as far as the browser says. Both have to say so where they are sent. */
export const isFromOurPage = (
  { origin, fetchSite }: { origin: string | undefined; fetchSite: string | undefined },
  ownOrigin: string,
): boolean =>
  (origin === undefined || origin === ownOrigin) && (fetchSite === undefined || fetchSite === 'same-origin');
