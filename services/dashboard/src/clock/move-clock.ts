import { Refusal } from '@cobro/contracts/refusals.ts';
import { type ClockMove, clockMoves, clockPage } from '@cobro/dashboard/clock/clock-page.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { askedOfClock } from './clock.rules.ts';

/** The clock's holder answers once every process has the new time, or after 15 s. */
const MOVED_WITHIN_MS = 18_000;

/** GET /clock: only if the clock may be moved, as in a demo or a test. */
export async function showClock(deps: Deps, visit: SignedIn): Promise<Answer> {
  if (deps.clockUrl === undefined) throw new Refusal('NOT_FOUND');
  return draw(deps, visit, null);
}

/** POST /clock: moves the clock of all processes. What has happened stays. */
export async function moveClock(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { clockUrl } = deps;
  if (clockUrl === undefined) throw new Refusal('NOT_FOUND');
  const move = clockMoves.find((one) => one === field(visit.form, 'move'));
  if (move === undefined) throw new Refusal('VALIDATION_ERROR');
  const { person, scope, from: address, requestId } = visit;
  await recordAudit(deps.db, {
    personId: person.id,
    scope,
    what: 'clock.move',
    target: move,
    outcome: 'done',
    address,
    requestId,
  });
  return (await isMoved(clockUrl, move, deps.clock.now())) ? redirect('/clock') : draw(deps, visit, 'unavailable');
}

async function isMoved(clockUrl: string, move: ClockMove, now: Date): Promise<boolean> {
  const asked = askedOfClock(move, now);
  const request = asked === null ? { method: 'DELETE' } : { method: 'PUT', body: JSON.stringify(asked) };
  try {
    const answer = await fetch(clockUrl, { ...request, signal: AbortSignal.timeout(MOVED_WITHIN_MS) });
    return answer.ok;
  } catch {
    return false;
  }
}

const draw = (deps: Deps, visit: SignedIn, problem: 'unavailable' | null) =>
  show(deps, visit, (frame) => clockPage(frame, { now: deps.clock.now(), realNow: new Date(), problem }));
