import { outwardTypes } from '@cobro/contracts/outward-events.ts';

import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, choice, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { button, copyable, facts } from '../parts/small-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { type DeveloperProblem, problemNotice, statusOf } from './developer-parts.ts';
import { developerWords } from './developer-words.ts';
import { eventWords } from './event-words.ts';
import { type WebhookAction, webhookWords } from './webhook-words.ts';
import { type ShownWebhook, webhookHref, WEBHOOKS, webhookStatus } from './webhooks-page.ts';

/** What was typed for a new webhook. */
export interface TypedWebhook {
  url: string;
  types: readonly string[];
  description: string;
}

export interface CreateWebhookView {
  typed: TypedWebhook;
  problem: DeveloperProblem | null;
}

/** GET /developers/webhooks/new, and a POST that was refused */
export function createWebhookPage(frame: Frame, { typed, problem }: CreateWebhookView): Content {
  const words = webhookWords[frame.language];
  return {
    status: statusOf(problem),
    title: words.create,
    section: 'developers',
    trail: { href: WEBHOOKS, label: developerWords[frame.language].webhooks },
    main: html`${problem && problemNotice(frame.language, problem)}
      ${wrongForm(frame, problem)}
      <div class="panel">
        ${actionForm(frame, {
          action: WEBHOOKS,
          fields: webhookFields(frame, typed),
          button: words.createButton,
          back: { href: WEBHOOKS, label: developerWords[frame.language].webhooks },
        })}
      </div>`,
  };
}

function wrongForm({ language }: Frame, problem: DeveloperProblem | null): Html | null {
  const isInvalid = problem?.kind === 'refused' && problem.code === 'VALIDATION_ERROR';
  return isInvalid ? notice(language, { kind: 'wait', title: webhookWords[language].wrongForm }) : null;
}

function webhookFields(frame: Frame, typed: TypedWebhook): Html {
  const words = webhookWords[frame.language];
  return html`${field(frame, { name: 'url', label: words.url, hint: words.urlHint, type: 'url', value: typed.url, maxlength: 2000 })}
  ${typeChoices(frame, typed.types)}
  ${field(frame, { name: 'description', label: words.description, value: typed.description, isOptional: true, maxlength: 500 })}`;
}

function typeChoices({ language }: Frame, chosen: readonly string[]): Html {
  const { types, typesHint } = webhookWords[language];
  const one = ([family, label]: [string, string]) => html`<label class="check">
    <input type="checkbox" name="types" value="${family}"${chosen.includes(family) && html` checked`} />
    <span>${label}</span>
  </label>`;
  const { families } = eventWords[language];
  // Single types, which only a program can choose, stay as they are.
  const single = chosen.filter((type) => !(type in families)).map((type): [string, string] => [type, type]);
  return html`<fieldset class="field">
    <legend>${types}</legend>
    <p class="hint">${typesHint}</p>
    ${[...Object.entries(families), ...single].map(one)}
  </fieldset>`;
}

export interface WebhookActionView {
  action: WebhookAction;
  endpoint: ShownWebhook;
  /** What was typed for a change. */
  typed: TypedWebhook;
  /** Day and time in Mexico City, in the format of `datetime-local`. */
  since: string;
  isWrongSince: boolean;
  problem: DeveloperProblem | null;
}

/** GET /developers/webhooks/{id}/{action}, and a POST that was refused */
export function webhookActionPage(frame: Frame, view: WebhookActionView): Content {
  const { action, endpoint, problem, isWrongSince } = view;
  const { language } = frame;
  const words = webhookWords[language];
  const { title, explain, button: label } = words.actions[action];
  return {
    status: isWrongSince ? 400 : statusOf(problem),
    title,
    section: 'developers',
    trail: { href: webhookHref(endpoint.id), label: words.back },
    main: html`${problem && problemNotice(language, problem)}
      ${action === 'change' && wrongForm(frame, problem)}
      <div class="panel">
        ${facts([
          [words.address, html`<bdi class="breaks">${endpoint.url}</bdi>`],
          [words.status, webhookStatus(language, endpoint)],
        ])}
        <p class="explain">${explain}</p>
        ${actionForm(frame, {
          action: webhookHref(endpoint.id, action),
          fields: fieldsOf(frame, view),
          button: label,
          kind: action === 'delete' ? 'danger' : '',
          back: { href: webhookHref(endpoint.id), label: words.back },
        })}
      </div>`,
  };
}

function fieldsOf(frame: Frame, { action, typed, since, isWrongSince }: WebhookActionView): Html | Html[] {
  const words = webhookWords[frame.language];
  switch (action) {
    case 'change':
      return webhookFields(frame, typed);
    case 'secret':
      return choice({ name: 'oldLivesForSeconds', label: words.oldSecret, value: '86400', options: words.overlaps });
    case 'test':
      return choice({
        name: 'type',
        label: words.testType,
        value: outwardTypes[0],
        options: outwardTypes.map((type) => [type, type] as const),
      });
    case 'replay':
      return field(frame, {
        name: 'since',
        label: words.since,
        hint: words.sinceHint,
        type: 'datetime-local',
        value: since,
        error: isWrongSince ? words.wrongSince : undefined,
      });
    case 'pause':
    case 'enable':
    case 'delete':
      return [];
  }
}

/** Shows the secret of a webhook this once. */
export function webhookSecretPage(frame: Frame, { id, secret }: { id: string; secret: string }): Content {
  const { language } = frame;
  const words = webhookWords[language];
  return {
    status: 200,
    title: words.secret,
    section: 'developers',
    trail: { href: webhookHref(id), label: words.back },
    main: html`<div class="stack"><div class="panel">
        <p class="shown-once">${copyable(language, secret)}</p>
        <p class="explain">${words.secretText}</p>
      </div>
      <p class="actions">${button(webhookHref(id), words.back)}</p></div>`,
  };
}
