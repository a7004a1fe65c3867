/** Without a discount of the fee, for all payments, and in force from its creation on. */
export interface Promotion {
  id: string | undefined;
  createdAt: string | undefined;
  take: number;
  ended: boolean;
  paymentsCount: number;
}
