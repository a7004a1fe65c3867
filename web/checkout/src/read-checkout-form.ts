import { holdsCardData } from '@cobro/contracts/card-data.ts';
import {
  type CardInput,
  cardInput,
  type PayerInformation,
  payerInformation,
} from '@cobro/contracts/payment-methods.ts';
import { cardExpired } from '@cobro/domain/mexico-city.ts';
import { type FieldName, type FormErrors, hiddenFields, type KeptValues } from './form-fields.ts';
import { chooseLanguage, type Language } from '@cobro/html/language.ts';

/** The form's content as the public payment attempt takes it in JSON. */
export interface CheckoutSubmission {
  card: CardInput;
  terms: number;
  billingInformation: PayerInformation;
}

export type CheckoutFormReading = {
  /** As it came; the service checks its signature. */
  token: string;
  /** The language of the page that was sent. */
  language: Language;
  /** The centavos that the page showed; 0 if the form lacks them. */
  amount: bigint;
  /** For the form if it has to be shown again; without number and cvc. */
  values: KeptValues;
} & ({ ok: true; submission: CheckoutSubmission } | { ok: false; errors: FormErrors });

/**
 * Reads the posted form with the schemas of the JSON route, so that both accept the same cards and payers. Unknown fields are left
 * out; if a field is repeated, the first counts. `now` is business time, for the card's expiry month.
 */
export function readCheckoutForm(
  fields: URLSearchParams,
  { allowedTerms, now }: { allowedTerms: readonly number[]; now: Date },
): CheckoutFormReading {
  const typed = (name: FieldName) => (fields.get(name) ?? '').trim();
  const card = readCard(typed, now);
  const billing = readPayer(typed);
  const terms = readTerms(typed('terms'), allowedTerms);
  const errors: FormErrors = { ...card.errors, ...terms.errors, ...billing.errors };
  for (const name of keptFields) if (holdsCard(name, typed(name))) errors[name] = 'cardNumber';
  const shared = {
    token: fields.get(hiddenFields.token) ?? '',
    language: chooseLanguage(undefined, fields.get(hiddenFields.language) ?? undefined),
    amount: readAmount(fields.get(hiddenFields.amount)),
    values: keptValues(typed, errors),
  };
  if (card.value && billing.value && terms.value && Object.keys(errors).length === 0) {
    const submission = { card: card.value, terms: terms.value, billingInformation: billing.value };
    return { ...shared, ok: true, submission };
  }
  return { ...shared, ok: false, errors };
}

type Typed = (name: FieldName) => string;
type Part<T> = { value?: T; errors: FormErrors };

const requiredFields = ['number', 'expiry', 'cvc', 'holderName', 'email', 'firstName', 'lastName'] as const;

/** The schema's faults by field; an empty required field is only `required`. */
function faultsOf(names: readonly FieldName[], typed: Typed): FormErrors {
  const faults: FormErrors = {};
  for (const name of names) {
    const isRequired = requiredFields.some((required) => required === name);
    faults[name] = isRequired && typed(name) === '' ? 'required' : 'invalid';
  }
  return faults;
}

const cardFields: Record<string, FieldName> = {
  number: 'number',
  expirationMonth: 'expiry',
  expirationYear: 'expiry',
  cvc: 'cvc',
  holderName: 'holderName',
};

function readCard(typed: Typed, now: Date): Part<CardInput> {
  const expiry = expiryOf(typed('expiry'));
  const read = cardInput.safeParse({
    number: digitsOf(typed('number')),
    expirationMonth: expiry?.month,
    expirationYear: expiry?.year,
    cvc: digitsOf(typed('cvc')),
    holderName: typed('holderName'),
  });
  const faulty = (read.error?.issues ?? []).flatMap(({ path }) => cardFields[String(path[0])] ?? []);
  const errors = faultsOf(faulty, typed);
  if (expiry && !errors.expiry && cardExpired(expiry, now)) errors.expiry = 'expired';
  return read.success ? { value: read.data, errors } : { errors };
}

const payerFields = ['email', 'firstName', 'lastName', 'phoneNumber'] as const;
const addressFields = ['addressLine', 'city', 'state', 'zip'] as const;

function readPayer(typed: Typed): Part<PayerInformation> {
  // An empty optional field is left out; the schema has to refuse an empty required one.
  const given = (names: readonly FieldName[]) => names.map((name) => [name, typed(name)] as const);
  const supplied = (names: readonly FieldName[]) => given(names).filter(([, value]) => value !== '');
  const address = Object.fromEntries(supplied(addressFields));
  const read = payerInformation.safeParse({
    ...Object.fromEntries(given(['email', 'firstName', 'lastName'])),
    ...Object.fromEntries(supplied(['phoneNumber'])),
    ...(Object.keys(address).length > 0 ? { address } : {}),
  });
  if (read.success) return { value: read.data, errors: {} };
  const names = [...payerFields, ...addressFields];
  const faulty = names.filter((name) => read.error.issues.some(({ path }) => path.at(-1) === name));
  return { errors: faultsOf(faulty, typed) };
}

/** If the merchant allows only one kind of terms, the form need not name it. */
function readTerms(typed: string, allowedTerms: readonly number[]): Part<number> {
  const [only, ...others] = allowedTerms;
  if (typed === '') {
    if (only !== undefined && others.length === 0) return { value: only, errors: {} };
    return { errors: { terms: 'required' } };
  }
  const value = allowedTerms.find((terms) => String(terms) === typed);
  return value === undefined ? { errors: { terms: 'invalid' } } : { value, errors: {} };
}

const readAmount = (sent: string | null) => (/^\d{1,12}$/.test(sent ?? '') ? BigInt(sent ?? '') : 0n);

const digitsOf = (typed: string) => typed.replaceAll(/[\s-]/g, '');

/** `MM/YY` as people and browsers write it: 1/29, 01-2029, 01 29, 0129, 012029. */
function expiryOf(typed: string): { month: number; year: number } | undefined {
  const read =
    /^(\d{1,2})(?:\s*[/.-]\s*|\s+)(\d{2}|\d{4})$/.exec(typed) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(typed) ?? undefined;
  if (read === undefined) return undefined;
  const year = Number(read[2]);
  return { month: Number(read[1]), year: year < 100 ? 2000 + year : year };
}

const keptFields = ['expiry', 'holderName', 'terms', ...payerFields, ...addressFields] as const;

/** Whether card data were typed into a wrong field: they are refused, and not shown again. A name on a card is shown. */
const holdsCard = (name: FieldName, typed: string) => holdsCardData(typed, name === 'phoneNumber' ? 16 : 0);

function keptValues(typed: Typed, errors: FormErrors): KeptValues {
  const names = keptFields.filter((name) => typed(name) !== '' && errors[name] !== 'cardNumber');
  return Object.fromEntries(names.map((name) => [name, typed(name)]));
}
