import { html, type Html } from '@cobro/html/html.ts';
import type { Frame } from '../shell/frame.ts';
import { partWords } from './words.ts';

interface FieldView {
  name: string;
  label: string;
  value?: string | undefined;
  type?: 'text' | 'email' | 'date' | 'url' | 'datetime-local' | 'password' | 'search';
  hint?: string | undefined;
  error?: string | undefined;
  isOptional?: boolean;
  /** For a filter, which is never required. */
  isBare?: boolean;
  maxlength?: number;
  /** Digits and a point. */
  isAmount?: boolean;
  /** Digits and a point, without the sign of pesos. */
  isDecimal?: boolean;
  autocomplete?: string;
}

/** A labelled input, with what is wrong with it. Two forms of a page need different prefixes for their ids. */
export function field(frame: Frame, view: FieldView, prefix = ''): Html {
  const { name, label, value, type = 'text', hint, error, isOptional, isAmount } = view;
  const id = `${prefix}${name}`;
  const about = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ');
  const attributes = [
    value !== undefined && html` value="${value}"`,
    view.maxlength !== undefined && html` maxlength="${view.maxlength}"`,
    !isOptional && html` required`,
    (isAmount || view.isDecimal) && html` inputmode="decimal"`,
    about !== '' && html` aria-describedby="${about}"`,
    error !== undefined && html` aria-invalid="true"`,
  ];
  const input = html`<input id="${id}" name="${name}" type="${type}" autocomplete="${view.autocomplete ?? 'off'}"${attributes} />`;
  return html`<div class="field">
    <label for="${id}">${label}${isOptional && !view.isBare && html` <span class="quiet">${partWords[frame.language].optional}</span>`}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${error !== undefined && html`<p class="error" id="${id}-error">${error}</p>`}
    ${isAmount ? html`<span class="money-input"><span aria-hidden="true">$</span>${input}</span>` : input}
  </div>`;
}

interface ChoiceView {
  name: string;
  label: string;
  value: string | undefined;
  /** Value and label; an empty value first means any. */
  options: readonly (readonly [value: string, label: string])[];
}

export const choice = ({ name, label, value, options }: ChoiceView, prefix = ''): Html =>
  html`<div class="field">
    <label for="${prefix}${name}">${label}</label>
    <select id="${prefix}${name}" name="${name}">
      ${options.map(([of, text]) => html`<option value="${of}"${of === (value ?? '') && html` selected`}>${text}</option>`)}
    </select>
  </div>`;

/** Replaces a choice whose options did not come in time. What was chosen stays chosen. */
export function missingChoice(
  { language }: Frame,
  { name, label, chosen }: { name: string; label: string; chosen: readonly (string | undefined)[] },
): Html {
  const { title, text } = partWords[language].unavailable;
  const kept = chosen.filter((value) => value !== undefined && value !== '');
  return html`<div class="field">
    <p><strong>${label}</strong></p>
    <p class="hint">${title}. ${text}</p>
    ${kept.map((value) => html`<input type="hidden" name="${name}" value="${value}" />`)}
  </div>`;
}

interface ChecksView {
  name: string;
  label: string;
  hint?: Html | string | undefined;
  error?: string | undefined;
  options: readonly (readonly [value: string, label: Html | string])[];
  chosen: readonly string[];
}

/** A choice of several options. */
export function checks({ name, label, hint, error, options, chosen }: ChecksView): Html {
  const about = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`]
    .filter(Boolean)
    .join(' ');
  return html`<fieldset class="field"${about !== '' && html` aria-describedby="${about}"`}>
    <legend>${label}</legend>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
    <div class="checks">
      ${options.map(
        ([value, text]) =>
          html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) && html` checked`} /> ${text}</label>`,
      )}
    </div>
  </fieldset>`;
}

interface ActionForm {
  action: string;
  fields: Html | Html[];
  button: Html | string;
  kind?: 'danger' | 'second' | '';
  /** The link for a person who changes their mind. */
  back?: { href: string; label: string };
}

/** A form that changes something: with the session's token, and a button that works once with the script. */
export const actionForm = (frame: Frame, { action, fields, button, kind = '', back }: ActionForm): Html =>
  html`<form method="post" action="${action}" class="action-form" data-once>
    <input type="hidden" name="formToken" value="${frame.formToken}" />
    <input type="hidden" name="back" value="${frame.address}" />
    ${fields}
    <p class="actions">
      <button class="button ${kind}">${button}</button>
      ${back && html`<a class="button second" href="${back.href}" data-close>${back.label}</a>`}
    </p>
  </form>`;
