import type { PaymentStatus } from '@cobro/contracts/payments.ts';
import { column, jsonColumn, type RowOf, tableOf } from '@cobro/postgres/table.ts';

const columns = {
  id: column<string>(),
  organizationId: column<string>(),
  externalId: column<string>(),
  /** As it was sent. */
  terminalCode: column<string | null>(),
  terminalId: column<string | null>(),
  redirectAppId: column<string | null>(),
  /** Centavos. */
  amount: column<bigint>(),
  currency: column<'MXN'>(),
  status: column<'PENDING' | 'CONFIRMED' | 'CANCELLED'>(),
  /** The payment whose outcome is not known yet. */
  chargingPaymentId: column<string | null>(),
  supersededBy: column<string | null>(),
  /** Our copy of the latest payment: its id, status and operation code. */
  paymentId: column<string | null>(),
  paymentStatus: column<PaymentStatus | null>(),
  operationCode: column<bigint | null>(),
  /** Null if it was not cancelled, or was by release 0.1. */
  cancelledBy: column<'MERCHANT' | 'TERMINAL' | null>(),
  cancelReason: column<string | null>(),
  /** W3C trace context of the request that made the intent. */
  trace: jsonColumn<Record<string, string>>(),
  createdAt: column<Date>(),
  expiresAt: column<Date>(),
  updatedAt: column<Date>(),
  version: column<number>(),
};

export type PaymentIntentRow = RowOf<typeof columns>;
export const paymentIntentTable = tableOf(columns);
