import type { Result } from '@cobro/client/refusal.ts';
import { uuid } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { readAmount } from '@cobro/dashboard/payments/action-page.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { formMadeAt } from '../http/form-id.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { terminalsWith } from './show-terminals.ts';

/** POST /terminals: sends an amount to a terminal. The form's id is the externalId, so the same form makes one intent. */
export async function sendToTerminal(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { form } = visit;
  const [terminalCode, formId] = [field(form, 'terminal'), field(form, 'formId')];
  const amount = readAmount(field(form, 'amount'));
  if (amount === undefined) return terminalsWith(deps, visit, { kind: 'wrong-amount' });
  if (formMadeAt(formId, deps.clock.now()) === undefined) {
    return terminalsWith(deps, visit, refusedAs(visit, 'FORM_TOO_OLD'));
  }
  const result = await audited(deps, visit, {
    what: 'terminal.send',
    target: formId,
    made: ({ id }) => id,
    send: () =>
      visit.api.paymentIntents
        .create({ amount, currency: 'MXN', externalId: formId, terminalCode }, { attempts: 1 })
        .result(),
  });
  return afterwards(deps, visit, result, 'sent');
}

/** POST /terminals/cancel */
export async function cancelAtTerminal(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { success, data: intent } = uuid.safeParse(field(visit.form, 'intent'));
  if (!success) throw new Refusal('NOT_FOUND');
  const result = await audited(deps, visit, {
    what: 'terminal.cancel',
    target: intent,
    send: () => visit.api.paymentIntents.cancel(intent, { attempts: 1 }).result(),
  });
  return afterwards(deps, visit, result, 'cancelled');
}

async function afterwards(
  deps: Deps,
  visit: SignedIn,
  result: Result<unknown>,
  done: 'sent' | 'cancelled',
): Promise<Answer> {
  if (result.kind === 'done') return redirect(`/terminals?done=${done}`);
  return terminalsWith(deps, visit, problemOf(visit, result));
}
