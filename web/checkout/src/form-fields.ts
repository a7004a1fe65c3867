/** Names of the form's fields that the payer fills, in the order of the page. */
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

/** Names of its hidden fields: the page token, the chosen language, and the amount in centavos that the page shows. */
export const hiddenFields = { token: 'token', language: 'lang', amount: 'amount' } as const;

/** Values that the form shows again after an error. Number and cvc are never among them. */
export type KeptValues = { [Name in Exclude<FieldName, 'number' | 'cvc'>]?: string };

/** `cardNumber`: a card's number was typed into a field whose value would be kept. */
export type FieldFault = 'required' | 'invalid' | 'expired' | 'cardNumber';

/** What is wrong, at most one thing per field. */
export type FormErrors = { [Name in FieldName]?: FieldFault };
