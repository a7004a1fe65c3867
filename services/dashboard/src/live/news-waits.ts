import { Refusal } from '@cobro/contracts/refusals.ts';

/** One tab of a browser waits, and may reconnect before we notice that its connection is lost. */
const MOST_OF_A_SESSION = 4;

interface Wait {
  answer: Promise<string>;
  waiting: number;
  ends: AbortController;
}

interface Waiting {
  sessionId: string;
  /** Browsers with the same key share a request. */
  key: string;
  /** Aborted once this browser is gone, or has its answer. */
  left: AbortSignal;
  begin: (everybodyLeft: AbortSignal) => Promise<string>;
}

/** Makes one request for all browsers with the same key, and aborts it once all of them are gone. @throws Refusal 429 */
export type NewsWaits = (waiting: Waiting) => Promise<string>;

export function createNewsWaits(): NewsWaits {
  const waits = new Map<string, Wait>();
  const ofSession = new Map<string, number>();

  const begun = (key: string, begin: Waiting['begin']): Wait => {
    const ends = new AbortController();
    const wait = { answer: begin(ends.signal), waiting: 0, ends };
    waits.set(key, wait);
    const forget = () => forgetWait(key, wait);
    wait.answer.then(forget, forget);
    return wait;
  };
  const forgetWait = (key: string, wait: Wait) => {
    if (waits.get(key) === wait) waits.delete(key);
  };

  return ({ sessionId, key, left, begin }) => {
    const ofThis = (ofSession.get(sessionId) ?? 0) + 1;
    if (ofThis > MOST_OF_A_SESSION) throw new Refusal('RATE_LIMIT_EXCEEDED');
    ofSession.set(sessionId, ofThis);
    const wait = waits.get(key) ?? begun(key, begin);
    wait.waiting += 1;
    const leave = () => {
      const others = (ofSession.get(sessionId) ?? 1) - 1;
      if (others === 0) ofSession.delete(sessionId);
      else ofSession.set(sessionId, others);
      wait.waiting -= 1;
      if (wait.waiting > 0) return;
      forgetWait(key, wait);
      wait.ends.abort();
    };
    if (left.aborted) leave();
    else left.addEventListener('abort', leave, { once: true });
    return wait.answer;
  };
}
