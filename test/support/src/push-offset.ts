import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';

/** A process whose business clock follows the stack's. */
export interface ClockFollower {
  url: string;
  /** The internal token that the process requires. The bank simulator requires none. */
  token?: () => Promise<string>;
}

/** Enough for a slow process. One that hangs must not hold up all other clocks. */
const PUSH_TIMEOUT_MS = 15_000;

/** Moves the clock of one process. A process that is down reads the offset when it starts. @throws if the process refuses */
export async function pushOffset({ url, token }: ClockFollower, offsetMs: number): Promise<void> {
  const answer = await fetch(`${url}/internal/clock`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { [TOKEN_HEADER]: await token() }) },
    body: JSON.stringify({ offsetMs }),
    signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
  }).catch(() => undefined);
  if (answer === undefined) return;
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url} did not move its clock: ${answer.status}`);
}
