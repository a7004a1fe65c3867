/** Business time, in milliseconds, in which what an answer shows for the first time must have happened. */
export interface Window {
  from: number;
  to: number;
}

export type Body = Record<string, unknown>;

/** All processes run on one machine, but the clock may be moved in one a moment before the other. */
const CLOCKS_DIFFER_MS = 100;

/** Keeps what the model does not know yet. @throws if a time is outside the window */
export function learn(record: object, received: Body, { from, to }: Window): void {
  const known = record as Body;
  for (const [field, value] of Object.entries(received)) {
    if (!(field in known) || known[field] !== undefined || value === undefined) continue;
    const time = field.endsWith('At') ? Date.parse(value as string) : from;
    if (!(time >= from - CLOCKS_DIFFER_MS && time <= to + CLOCKS_DIFFER_MS)) {
      const [first, last] = [from, to].map((ms) => new Date(ms).toISOString());
      throw new Error(`${field} is ${value as string}, which is not between ${first} and ${last}`);
    }
    known[field] = value;
  }
}
