/** A page waits for its parts no longer than this. */
export const READING = { withinMs: 2_000, attempts: 1 } as const;
