import type { ClosedView } from './checkout-view.ts';
import type { FieldName } from './form-fields.ts';
import type { Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';

export type RequiredField = 'number' | 'expiry' | 'cvc' | 'holderName' | 'terms' | 'email' | 'firstName' | 'lastName';

/** What happened, and what to do next. */
export interface Advice {
  title: string;
  text: string;
}

export type DeclineReason =
  | 'generic'
  | 'insufficientFunds'
  | 'expiredCard'
  | 'wrongCvc'
  | 'wrongNumber'
  | 'unsupportedNetwork'
  | 'notSupported'
  | 'notProcessed';

/**
 * Every word of the page in one language. Names of merchants come in as fragments of their own, so that a name in another
 * direction of writing moves nothing around it.
 */
export interface Messages {
  otherLanguage: { language: Language; name: string };
  payTitle: (merchant: string, amount: string) => string;
  errorTitle: (title: string) => string;
  payTo: string;
  encrypted: string;
  availableUntil: (time: string) => string;
  sections: { card: string; terms: string; payer: string; more: string };
  fields: { [Name in FieldName]: string };
  optional: string;
  expiryExample: string;
  cvcHint: string;
  networks: string;
  singlePayment: string;
  monthly: (terms: number) => string;
  lastPayment: (amount: string) => string;
  perMonth: string;
  installmentsNote: (total: string) => string;
  pay: (amount: string) => string;
  paying: string;
  cardSafety: string;
  /** The text of a link to the merchant; without a long name. */
  backTo: (merchant: Html | undefined) => Html;
  errors: {
    title: string;
    required: { [Name in RequiredField]: string };
    invalid: { [Name in FieldName]: string };
    expired: string;
    cardNumber: string;
  };
  declines: { [Reason in DeclineReason]: Advice };
  tooManyAttempts: (minutes: number) => Advice;
  bankUnavailable: Advice;
  termsNotAvailable: Advice;
  cardNotAccepted: Advice;
  amountChanged: Advice;
  inProgress: Advice;
  stalePage: Advice;
  confirming: { title: string; text: (merchant: Html) => Html; dontPayAgain: string; refresh: string };
  paid: {
    title: string;
    to: (merchant: Html) => Html;
    description: string;
    date: string;
    card: string;
    cardEnding: (network: string, lastFourDigits: string) => string;
    terms: string;
    installments: (terms: number, each: string) => string;
    operationCode: string;
    keep: string;
    print: string;
  };
  closed: { [State in ClosedView['state'] | 'foreign-origin']: Advice };
  openPage: string;
  nothing: { [State in 'not-found' | 'unavailable']: Advice };
}

export function errorText(messages: Messages, name: FieldName, fault: string): string {
  const { required, invalid, expired, cardNumber } = messages.errors;
  if (fault === 'required' && name in required) return required[name as RequiredField];
  if (fault === 'expired') return expired;
  return fault === 'cardNumber' ? cardNumber : invalid[name];
}
