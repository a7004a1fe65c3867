import type { FormView } from './checkout-view.ts';
import type { FieldName, FormErrors } from './form-fields.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { errorText, type Messages } from './messages.ts';

/** Shared by the parts of the form. */
export interface FormContext {
  view: FormView;
  messages: Messages;
  errors: FormErrors;
}

interface InputSettings {
  name: Exclude<FieldName, 'terms'>;
  autocomplete: string;
  maxlength: number;
  optional?: boolean;
  type?: 'email' | 'tel';
  numeric?: boolean;
  placeholder?: string;
  /** Id of a text about the field, besides its error. */
  hint?: string;
  besideLabel?: Html;
}

/**
 * A labelled input with a place for its error. Its error texts are sent along, so that the script can show during typing what the
 * server would answer.
 */
export function input({ view, messages, errors }: FormContext, settings: InputSettings): Html {
  const { name, autocomplete, maxlength, optional, type, numeric, placeholder, hint, besideLabel } = settings;
  const fault = errors[name];
  const value = name === 'number' || name === 'cvc' ? undefined : view.values[name];
  const attributes = [
    value !== undefined && html` value="${value}"`,
    numeric && html` inputmode="numeric"`,
    !(type || numeric) && html` autocapitalize="words"`,
    placeholder && html` placeholder="${placeholder}"`,
    !optional && html` required data-required="${errorText(messages, name, 'required')}"`,
    (numeric || type === 'email') && html` data-invalid="${errorText(messages, name, 'invalid')}"`,
    name === 'expiry' && html` data-expired="${messages.errors.expired}"`,
    fault && html` aria-invalid="true"`,
  ];
  return html`<div class="field ${name}">
    <div class="label">
      <label for="${name}">${messages.fields[name]}${optional && html` <span class="quiet">${messages.optional}</span>`}</label>
      ${besideLabel}
    </div>
    <input
      id="${name}"
      name="${name}"
      type="${type ?? 'text'}"
      autocomplete="${autocomplete}"
      maxlength="${maxlength}"
      aria-describedby="${hint && `${hint} `}${name}-error"
      spellcheck="false"
      ${attributes}
    />
    ${fieldError(name, fault && errorText(messages, name, fault))}
  </div>`;
}

export const fieldError = (name: FieldName, text: string | undefined): Html =>
  html`<p class="error" id="${name}-error" aria-live="polite">${text}</p>`;
