import type { PartnerPaymentStatus } from '@cobro/contracts/partner-payments.ts';
import type { Language } from '@cobro/html/language.ts';

export interface PartnerWords {
  payments: string;
  organizations: string;
  search: string;
  searchHint: string;
  count: (payments: string, isCapped: boolean) => string;
  statuses: { [Name in PartnerPaymentStatus]: string };
  columns: { organization: string; fee: string; iva: string; promotion: string; take: string };
  fields: { q: string; organizationId: string; status: string; from: string; to: string };
  noPayments: { title: string; text: string };
  noOrganizations: { title: string; text: string };
  openPayments: string;
}

export const partnerWords: { [Name in Language]: PartnerWords } = {
  es: {
    payments: 'Pagos de tus comercios',
    organizations: 'Comercios',
    search: 'Buscar un pago',
    searchHint: 'Número de operación, nombre del comercio o importe en pesos enteros',
    count: (payments, isCapped) => `${isCapped ? 'más de ' : ''}${payments} ${payments === '1' ? 'pago' : 'pagos'}`,
    statuses: { PENDING: 'Retenido', CANCELLED: 'No cobrado', CONFIRMED: 'Cobrado', REFUNDED: 'Devuelto' },
    columns: { organization: 'Comercio', fee: 'Comisión', iva: 'IVA', promotion: 'Promoción', take: 'Recibe' },
    fields: {
      q: 'Búsqueda',
      organizationId: 'Comercio',
      status: 'Estado',
      from: 'Desde el día',
      to: 'Hasta el día',
    },
    noPayments: { title: 'Ningún pago', text: 'Tus comercios no tienen pagos con estos filtros.' },
    noOrganizations: { title: 'Todavía no hay comercios', text: 'Aparecen en cuanto Cobro los registra contigo.' },
    openPayments: 'Ver sus pagos',
  },
  en: {
    payments: 'Payments of your merchants',
    organizations: 'Merchants',
    search: 'Find a payment',
    searchHint: 'Operation code, the merchant’s name, or an amount in whole pesos',
    count: (payments, isCapped) =>
      `${isCapped ? 'more than ' : ''}${payments} ${payments === '1' ? 'payment' : 'payments'}`,
    statuses: { PENDING: 'Held', CANCELLED: 'Not paid', CONFIRMED: 'Paid', REFUNDED: 'Refunded' },
    columns: { organization: 'Merchant', fee: 'Fee', iva: 'IVA', promotion: 'Promotion', take: 'Gets' },
    fields: { q: 'Search', organizationId: 'Merchant', status: 'Status', from: 'From day', to: 'To day' },
    noPayments: { title: 'No payments', text: 'Your merchants have no payments with these filters.' },
    noOrganizations: { title: 'No merchants yet', text: 'They appear once Cobro has registered them with you.' },
    openPayments: 'See their payments',
  },
};
