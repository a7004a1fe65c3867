/** Has no fee discount, applies to all payments, and is in force from its creation. */
export interface Promotion {
  id: string | undefined;
  createdAt: string | undefined;
  take: number;
  ended: boolean;
  paymentsCount: number;
}
