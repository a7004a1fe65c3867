import type { FormProblem } from './checkout-view.ts';
import { declineReasonOf } from './decline-reason.ts';
import { fieldNames, type FormErrors } from './form-fields.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { icons } from '@cobro/html/icons.ts';
import { type Advice, errorText, type Messages } from './messages.ts';

/** A problem's notice at the top of the form, with the answer's status and headers. */
export interface FormNotice {
  status: number;
  title?: string;
  html: Html;
  headers?: Record<string, string>;
}

/** The notice about a problem. The script fills it too, so it is there from the start. */
export function noticeOf(problem: FormProblem | null, messages: Messages): FormNotice {
  if (problem === null) return { status: 200, html: emptyNotice(messages) };
  if (problem.kind === 'errors') {
    const { title } = messages.errors;
    return { status: 400, title, html: notice(title, errorList(problem.errors, messages), messages) };
  }
  const { status, advice, retryAfterSeconds } = answerTo(problem, messages);
  return {
    status,
    title: advice.title,
    html: notice(advice.title, html`<p>${advice.text}</p>`, messages),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  };
}

interface Answer {
  status: number;
  advice: Advice;
  retryAfterSeconds?: number;
}

function answerTo(problem: Exclude<FormProblem, { kind: 'errors' }>, messages: Messages): Answer {
  switch (problem.kind) {
    case 'declined':
      // This page shows an attempt's outcome and is reached by a 303.
      return { status: 200, advice: messages.declines[declineReasonOf(problem.declineCode)] };
    case 'too-many-attempts': {
      const { retryAfterSeconds } = problem;
      const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60));
      return { status: 429, advice: messages.tooManyAttempts(minutes), retryAfterSeconds };
    }
    case 'bank-unavailable':
      return { status: 503, advice: messages.bankUnavailable, retryAfterSeconds: 1 };
    case 'terms-not-available':
      return { status: 409, advice: messages.termsNotAvailable };
    case 'card-not-accepted':
      return { status: 409, advice: messages.cardNotAccepted };
    case 'amount-changed':
      return { status: 409, advice: messages.amountChanged };
    case 'in-progress':
      return { status: 409, advice: messages.inProgress, retryAfterSeconds: 1 };
    case 'stale-page':
      return { status: 400, advice: messages.stalePage };
  }
}

// `autofocus` works without the script too, so that a screen reader starts with the notice.
const notice = (title: string, content: Html, messages: Messages): Html =>
  html`<div class="notice" id="notice" role="alert" tabindex="-1" autofocus data-title="${messages.errors.title}">
    ${icons.warning}
    <div>
      <h2>${title}</h2>
      ${content}
    </div>
  </div>`;

const emptyNotice = (messages: Messages): Html =>
  html`<div class="notice" id="notice" role="alert" tabindex="-1" data-title="${messages.errors.title}" hidden>
    ${icons.warning}
    <div><h2></h2></div>
  </div>`;

function errorList(errors: FormErrors, messages: Messages): Html {
  const items = fieldNames.map((name) => {
    const fault = errors[name];
    return fault && html`<li><a href="#${name}">${errorText(messages, name, fault)}</a></li>`;
  });
  return html`<ul>
    ${items}
  </ul>`;
}
