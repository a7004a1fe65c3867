/** Filters set by links only; the form keeps them, and has no fields for them. */
export const linkedNames = ['settledOn', 'refundedOn', 'subscriptionId', 'terminalId'] as const;
/** Who sold and where, chosen from lists. */
export const sellerNames = ['salespersonId', 'branchId'] as const;

/** The filters of the list, as they stand in the address. */
export const filterNames = [
  'q',
  // One of the statuses, or PAID: CONFIRMED or REFUNDED.
  'status',
  'type',
  // Days are `YYYY-MM-DD` in Mexico City.
  'from',
  'to',
  'source',
  'terms',
  // Pesos, both included.
  'amountFrom',
  'amountTo',
  'issuingBank',
  ...sellerNames,
  ...linkedNames,
] as const;

export type FilterName = (typeof filterNames)[number];
export type FilterTexts = { [Name in FilterName]?: string };
