import type { TerminalItem } from '@cobro/contracts/payment-intents.ts';
import {
  type TerminalProblem,
  terminalsPage,
  type TerminalsView,
  type TerminalTile,
} from '@cobro/dashboard/terminals/terminals-page.ts';
import type { Deps } from '../deps.ts';
import { newFormId } from '../http/form-id.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field } from '../http/visit.ts';
import { READING } from '../http/reading.ts';

const MOST_TILES = 60;
/** `seenAt` is written once a minute, and a terminal asks again within half a minute. */
const CONNECTED_MS = 150_000;

/** GET /terminals */
export const showTerminals = (deps: Deps, visit: SignedIn): Promise<Answer> => terminalsWith(deps, visit, null);

/** The page with what was refused. Times of terminals are real times. */
export async function terminalsWith(deps: Deps, visit: SignedIn, problem: TerminalProblem | null): Promise<Answer> {
  const query = { page: '1', pageSize: String(MOST_TILES) } as never;
  const result = await visit.api.paymentIntents.terminals(query, READING).result();
  const said = visit.query.get('done');
  const view: Omit<TerminalsView, 'tiles' | 'more'> = {
    organizationId: visit.scope.id ?? '',
    done: said === 'sent' || said === 'cancelled' ? said : null,
    problem,
  };
  const [items, count] = result.kind === 'done' ? [result.value.items, result.value.count] : [null, 0];
  const kept = problem?.kind === 'lost' ? visit.form : undefined;
  const tiles = items?.map((terminal) => tileOf(deps, terminal, kept)) ?? null;
  // A refused form may have been sent to an address without a page.
  const here = { ...visit, address: '/terminals' };
  return show(deps, here, (frame) => terminalsPage(frame, { ...view, tiles, more: count - (tiles?.length ?? 0) }));
}

/** @param kept the form whose answer was lost: sent again it makes no second intent */
const tileOf = ({ clock }: Deps, terminal: TerminalItem, kept: URLSearchParams | undefined): TerminalTile => ({
  terminal,
  isConnected: terminal.seenAt !== null && Date.now() - Date.parse(terminal.seenAt) < CONNECTED_MS,
  ...(kept !== undefined && field(kept, 'terminal') === terminal.terminalCode
    ? { formId: field(kept, 'formId'), amount: field(kept, 'amount') }
    : { formId: newFormId(clock.now()), amount: '' }),
});
