/** How often a subscription is billed. */
export const periodicities = ['WEEKLY', 'BIWEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'YEARLY'] as const;
export type Periodicity = (typeof periodicities)[number];
