import { createHmac, timingSafeEqual } from 'node:crypto';

/** Made from the session's cookie, or before sign-in the visit's: nobody can make it without the cookie. */
export const formTokenOf = (cookie: string): string => createHmac('sha256', cookie).update('form').digest('base64url');

export const isFormToken = (sent: string, cookie: string): boolean => {
  const [given, right] = [sent, formTokenOf(cookie)].map((text) => Buffer.from(text));
  return given?.length === right?.length && timingSafeEqual(given as Buffer, right as Buffer);
};

/** Whether Origin and Sec-Fetch-Site, if the browser sent them, both name our own origin. */
export const isFromOurPage = (
  { origin, fetchSite }: { origin: string | undefined; fetchSite: string | undefined },
  ownOrigin: string,
): boolean =>
  (origin === undefined || origin === ownOrigin) && (fetchSite === undefined || fetchSite === 'same-origin');
