import { type Answer, type NullField, paymentFields, unset } from '@cobro/contracts/payment-fields.ts';

/**
 * Null for each field that may be null and that this answer shows as it is kept. A test writes the fields that it knows over these, so a
 * new field changes no test that does not set it.
 */
export const nothingShown = (answer: Answer): Record<string, null> =>
  Object.fromEntries(
    (Object.keys(unset) as NullField[])
      .filter((name) => (paymentFields[name].shownIn as readonly Answer[]).includes(answer))
      .map((name) => [name, null]),
  );
