import type { BillingFacts } from '@cobro/contracts/events.ts';
import type { BillingInformation } from '@cobro/contracts/payment-methods.ts';

/** Billing information as it is stored and published. A field that was not given is null. */
export function billingFacts(given: BillingInformation | undefined): BillingFacts | null {
  if (given === undefined) return null;
  const { email, firstName, lastName, phoneNumber, address } = given;
  return {
    email: email ?? null,
    firstName: firstName ?? null,
    lastName: lastName ?? null,
    phoneNumber: phoneNumber ?? null,
    address: address
      ? {
          addressLine: address.addressLine ?? null,
          city: address.city ?? null,
          state: address.state ?? null,
          zip: address.zip ?? null,
        }
      : null,
  };
}
