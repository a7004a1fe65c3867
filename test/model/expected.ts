/** The expected answer to a request. */
export interface Expected {
  status: number;
  /** The code of a refusal. */
  code?: string;
  /** The records that the body shows, and how. */
  shows?: Shown;
  replayed?: boolean;
}

export type Shown =
  | { as: 'card'; card: number }
  | { as: 'payment' | 'refund'; payment: number }
  /** The 402 of a charge shows the id of its payment. */
  | { as: 'declined'; payment: number }
  | { as: 'link' | 'cancelledLink' | 'paidLink'; link: number }
  | { as: 'intent' | 'nextIntent' | 'paidIntent'; intent: number }
  | { as: 'product'; product: number }
  | { as: 'paymentLink'; paymentLink: number }
  | { as: 'subscription'; subscription: number }
  /** The 402 of a first charge shows the ids of its payment and subscription. */
  | { as: 'declinedSubscription'; subscription: number }
  | { as: 'promotion'; promotion: number }
  /** As its payer sees it. */
  | { as: 'linkPayment'; payment: number }
  | { as: 'nothing' | 'success' };

export const refused = (status: number, code: string): Expected => ({ status, code });
