import { type Answer, type NullField, paymentFields, unset } from '@cobro/contracts/payment-fields.ts';

/**
 * Null for each nullable field that this answer shows. A test writes the fields that it sets over these, so a new field changes no other
 * test.
 */
export const nothingShown = (answer: Answer): Record<string, null> =>
  Object.fromEntries(
    (Object.keys(unset) as NullField[])
      .filter((name) => (paymentFields[name].shownIn as readonly Answer[]).includes(answer))
      .map((name) => [name, null]),
  );
