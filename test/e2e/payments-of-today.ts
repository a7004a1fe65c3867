import type { ReportedPayment } from '@cobro/contracts/reports.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { Client } from './client.ts';

interface Page {
  data: ReportedPayment[];
  pagination: { nextCursor: string | null };
}

/** Every payment of today with an outcome, page by page from the API. */
export async function paymentsOfToday(merchant: Client): Promise<ReportedPayment[]> {
  const all: ReportedPayment[] = [];
  for (let cursor = ''; ;) {
    const query = `createdAtFrom=${dayInMexicoCity(new Date())}&limit=100${cursor}`;
    const { body } = await merchant.send<Page>('GET', `/report/payment?${query}`);
    all.push(...body.data);
    if (body.pagination.nextCursor === null) return all;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
}

/** The figures that Home must show: the sum paid, the number of payments, and the share of approved attempts. */
export function figuresOf(all: ReportedPayment[]): string[] {
  const paid = all.filter(({ status }) => status === 'CONFIRMED' || status === 'REFUNDED');
  const sum = paid.reduce((centavos, { amount }) => centavos + Math.round(amount * 100), 0);
  const declined = all.filter(({ status }) => status === 'CANCELLED').length;
  const rate = Math.round(((all.length - declined) / all.length) * 10_000) / 10_000;
  const pesos = (sum / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  return [`$${pesos}`, paid.length.toLocaleString('en-US'), `${(rate * 100).toFixed(1)} %`];
}
