/** A session ends after IDLE_MINUTES without a request, and in any case after ABSOLUTE_HOURS. */
export const IDLE_MINUTES = 30;
export const ABSOLUTE_HOURS = 12;
/** How long after the password a second factor may follow. */
export const HALF_MINUTES = 10;
/** How long a shown second factor allows dangerous actions. */
const PROVED_MS = 15 * 60_000;

export const isProved = (provedAt: Date | null, now: Date): boolean =>
  provedAt !== null && now.getTime() - provedAt.getTime() < PROVED_MS;
