import { pesosOf } from '@cobro/contracts/amount.ts';
import { MOST_DAYS, type ReportedDay } from '@cobro/contracts/reports.ts';
import { declineReason } from './decline-reason.rules.ts';
import type { PaymentRow } from './payment.row.ts';

/** Sums over some payments. Centavos. */
interface Sums {
  payments: number;
  amount: bigint;
  fee: bigint;
  feeIva: bigint;
  promotionTake: bigint;
  take: bigint;
}

/** Payments with the same status and decline code that were made, or whose money moved or went back, on a day of Mexico City. */
export interface DayPart extends Sums {
  /** `settled`: money moved, whatever came later. `refunded`: payments made on any day. */
  moment: 'made' | 'settled' | 'refunded';
  day: string;
  status: PaymentRow['status'];
  declineCode: string | null;
}

export interface HourPart {
  hour: number;
  payments: number;
  amount: bigint;
}

const DAY_MS = 86_400_000;

/** The days from `from` to `to`, as `YYYY-MM-DD`, cut off one day after the most that an answer may have. */
export function daysFrom(from: string, to: string): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.min(Math.max(0, (last - first) / DAY_MS + 1), MOST_DAYS + 1);
  return Array.from({ length: count }, (_, i) => new Date(first + i * DAY_MS).toISOString().slice(0, 10));
}

const nothing: Sums = { payments: 0, amount: 0n, fee: 0n, feeIva: 0n, promotionTake: 0n, take: 0n };

export const sumOf = (parts: DayPart[]): Sums =>
  parts.reduce(
    (sum, part) => ({
      payments: sum.payments + part.payments,
      amount: sum.amount + part.amount,
      fee: sum.fee + part.fee,
      feeIva: sum.feeIva + part.feeIva,
      promotionTake: sum.promotionTake + part.promotionTake,
      take: sum.take + part.take,
    }),
    nothing,
  );

/** True if money moved, even if it went back later. */
const isPaid = ({ status }: DayPart) => status === 'CONFIRMED' || status === 'REFUNDED';

/** Reports one day from its parts. `hours` are today's, and undefined for other days. */
export function reportedDay(day: string, parts: DayPart[], hours: HourPart[] | undefined): ReportedDay {
  const { made = [], refunded = [] } = Object.groupBy(parts, ({ moment }) => moment);
  const paid = sumOf(made.filter(isPaid));
  const declines = made.filter(({ status }) => status === 'CANCELLED');
  const declined = sumOf(declines).payments;
  const approved = sumOf(made).payments - declined;
  const all = approved + declined;
  return {
    day,
    payments: paid.payments,
    amount: pesosOf(paid.amount),
    approved,
    declined,
    approvalRate: all === 0 ? null : Math.round((approved / all) * 10_000) / 10_000,
    declines: declines
      .map(({ declineCode, payments }) => ({ reason: declineReason(declineCode), declineCode, payments }))
      .toSorted((a, b) => b.payments - a.payments || (a.declineCode ?? '').localeCompare(b.declineCode ?? '')),
    fee: pesosOf(paid.fee),
    feeIva: pesosOf(paid.feeIva),
    promotionTake: pesosOf(paid.promotionTake),
    take: pesosOf(paid.take),
    refunds: refundsOf(refunded),
    hours: hours === undefined ? null : everyHour(hours),
  };
}

export function refundsOf(parts: DayPart[]): ReportedDay['refunds'] {
  const { payments, amount, take } = sumOf(parts);
  return { payments, amount: pesosOf(amount), take: pesosOf(take) };
}

const everyHour = (hours: HourPart[]) =>
  Array.from({ length: 24 }, (_, hour) => {
    const found = hours.find((part) => part.hour === hour);
    return { hour, payments: found?.payments ?? 0, amount: pesosOf(found?.amount ?? 0n) };
  });
