/** Names of the form's fields that a person fills, in the order of the page. */
export const fieldNames = [
  'number',
  'expiry',
  'cvc',
  'holderName',
  'terms',
  'email',
  'firstName',
  'lastName',
  'phoneNumber',
  'addressLine',
  'city',
  'state',
  'zip',
] as const;
export type FieldName = (typeof fieldNames)[number];

/** Names of its hidden fields: the signed token of the page, the language that was chosen, and the amount in centavos that the page shows. */
export const hiddenFields = { token: 'token', language: 'lang', amount: 'amount' } as const;

/** What comes back in the form after an error. Number and cvc never do. */
export type KeptValues = { [Name in Exclude<FieldName, 'number' | 'cvc'>]?: string };

/** `cardNumber`: a card's number stands where it does not belong, and would be kept. */
export type FieldFault = 'required' | 'invalid' | 'expired' | 'cardNumber';

/** What is wrong, at most one thing per field. */
export type FormErrors = { [Name in FieldName]?: FieldFault };
