/** A session ends after so long without a request, and in any case after the second. */
export const IDLE_MINUTES = 30;
export const ABSOLUTE_HOURS = 12;
/** How long a second factor may be waited for. */
export const HALF_MINUTES = 10;
/** For so long a second factor that was shown counts for what is dangerous. */
const PROVED_MS = 15 * 60_000;

export const isProved = (provedAt: Date | null, now: Date): boolean =>
  provedAt !== null && now.getTime() - provedAt.getTime() < PROVED_MS;
