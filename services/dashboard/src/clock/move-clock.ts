import type { Result } from '@cobro/client/refusal.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { type ClockMove, clockMoves, clockPage } from '@cobro/dashboard/clock/clock-page.ts';
import { audited } from '../audit/audited.ts';
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
  const send = () => movedTo(clockUrl, move, deps.clock.now());
  const result = await audited(deps, visit, { what: 'clock.move', target: move, send });
  return result.kind === 'done' ? redirect('/clock') : draw(deps, visit, 'unavailable');
}

async function movedTo(clockUrl: string, move: ClockMove, now: Date): Promise<Result<null>> {
  const asked = askedOfClock(move, now);
  const request = asked === null ? { method: 'DELETE' } : { method: 'PUT', body: JSON.stringify(asked) };
  try {
    const { ok, status } = await fetch(clockUrl, { ...request, signal: AbortSignal.timeout(MOVED_WITHIN_MS) });
    return ok ? { kind: 'done', status, value: null, replayed: false } : { kind: 'lost', why: String(status) };
  } catch (error) {
    return { kind: 'lost', why: String(error) };
  }
}

const draw = (deps: Deps, visit: SignedIn, problem: 'unavailable' | null) =>
  show(deps, visit, (frame) => clockPage(frame, { now: deps.clock.now(), realNow: new Date(), problem }));
