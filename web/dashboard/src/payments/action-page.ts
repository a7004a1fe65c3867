import { centavosOf } from '@cobro/contracts/amount.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { actionForm, field } from '../parts/form.ts';
import { notice, type NoticeView } from '../parts/notice.ts';
import { centavosIn, signedPesos } from '../parts/small-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { actionWords } from './action-words.ts';
import { paymentHref } from './payment-parts.ts';
import { paymentWords } from './payment-words.ts';

export const paymentActions = ['capture', 'release', 'refund'] as const;
export type PaymentAction = (typeof paymentActions)[number];

/** What the form shows of the payment. */
export interface ActedOn {
  id: string;
  operationCode: number;
  /** Pesos; for a hold, the held amount. */
  amount: number;
}

/** What was typed. */
interface Typed {
  amount?: string;
  reason?: string;
}

export type ActionProblem =
  | { kind: 'wrong-amount' }
  | { kind: 'refused'; code: string; status: number; requestId: string }
  | { kind: 'lost'; requestId: string };

export interface ActionView {
  action: PaymentAction;
  payment: ActedOn;
  typed: Typed;
  problem: ActionProblem | null;
}

/** GET, and refused POST /payments/{id}/{action} */
export function actionPage(frame: Frame, view: ActionView): Content {
  const { action, payment, problem } = view;
  const words = actionWords[frame.language];
  return {
    status: statusOf(problem),
    title: words[action].title,
    section: 'payments',
    trail: { href: paymentHref(payment.id), label: `${paymentWords[frame.language].payment} ${payment.operationCode}` },
    main: html`${problem && problem.kind !== 'wrong-amount' && notice(frame.language, noticeOf(frame.language, problem))}
      <div class="panel">${formOf(frame, view)}</div>`,
  };
}

function statusOf(problem: ActionProblem | null): number {
  if (problem === null) return 200;
  if (problem.kind === 'refused') return problem.status;
  return problem.kind === 'lost' ? 502 : 400;
}

/** A refusal in plain words. An operation already in progress is not shown as a failure. */
export function noticeOf(language: Language, problem: Exclude<ActionProblem, { kind: 'wrong-amount' }>): NoticeView {
  const { refusals, otherRefusal, lost } = actionWords[language];
  const { requestId } = problem;
  if (problem.kind === 'lost') return { kind: 'wait', ...lost, code: 'NO_ANSWER', requestId };
  const { code } = problem;
  const said = Object.hasOwn(refusals, code) ? (refusals[code] ?? otherRefusal) : otherRefusal;
  return { kind: code.endsWith('_IN_PROGRESS') ? 'wait' : 'bad', ...said, code, requestId };
}

/** The form of an action: on its page, and in a dialog of the payment's page. */
export function formOf(frame: Frame, { action, payment, typed, problem }: ActionView): Html {
  const words = actionWords[frame.language];
  const amount = signedPesos(centavosIn(payment.amount));
  return html`<p class="explain">${words[action].explain}</p>
    ${actionForm(frame, {
      action: `${paymentHref(payment.id)}/${action}`,
      fields: fieldsOf(frame, { action, payment, typed, problem }),
      button: words[action].button(amount),
      kind: action === 'capture' ? '' : 'danger',
      back: { href: paymentHref(payment.id), label: words.back },
    })}`;
}

function fieldsOf(frame: Frame, { action, payment, typed, problem }: ActionView): Html | Html[] {
  const { capture, refund } = actionWords[frame.language];
  const prefix = `${action}-`;
  if (action === 'release') return [];
  if (action === 'refund') {
    const { reason: label, reasonHint: hint } = refund;
    return field(frame, { name: 'reason', label, hint, value: typed.reason, isOptional: true, maxlength: 500 }, prefix);
  }
  const error = problem?.kind === 'wrong-amount' ? capture.wrongAmount : undefined;
  const hint = capture.amountHint(signedPesos(centavosIn(payment.amount)));
  const value = typed.amount ?? decimalText(payment.amount);
  return field(
    frame,
    { name: 'amount', label: capture.amount, hint, error, value, isAmount: true, maxlength: 15 },
    prefix,
  );
}

const decimalText = (pesos: number) => signedPesos(centavosIn(pesos)).replace('$', '');

/** An amount as people type it, "1,250.50" or "$ 1250.5", as pesos; undefined if it is none. */
export function readAmount(text: string): number | undefined {
  const plain = text.replaceAll(/[\s$]/g, '');
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/.test(plain) ? plain.replaceAll(',', '') : plain;
  if (!/^\d{1,9}(?:\.\d{1,2})?$/.test(grouped)) return undefined;
  const centavos = centavosOf(Number(grouped));
  return centavos === undefined || centavos === 0n ? undefined : Number(grouped);
}
