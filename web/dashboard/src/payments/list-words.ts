import type { Language } from '@cobro/html/language.ts';
import type { FilterName } from './payment-filters.ts';

export interface ListWords {
  title: string;
  search: string;
  searchHint: string;
  searchButton: string;
  filters: string;
  apply: string;
  any: string;
  paid: string;
  issuingBankHint: string;
  remove: (filter: string) => string;
  fields: { [Name in FilterName]: string };
  none: { title: string; text: string; clear: string };
  first: { title: string; text: string };
  cardNumber: { title: string; text: string };
}

export const listWords: { [Name in Language]: ListWords } = {
  es: {
    title: 'Pagos',
    search: 'Buscar un pago',
    searchHint: 'Número de operación, id, tu externalId, importe (150.00), últimos cuatro dígitos o correo',
    searchButton: 'Buscar',
    filters: 'Filtros',
    apply: 'Aplicar filtros',
    any: 'Todos',
    paid: 'Cobrado, aunque se devolviera',
    issuingBankHint: 'El nombre completo, con las mayúsculas que tiene en la página de un pago.',
    remove: (filter) => `Quitar el filtro ${filter}`,
    fields: {
      q: 'Búsqueda',
      status: 'Estado',
      type: 'Tipo',
      from: 'Desde el día',
      to: 'Hasta el día',
      source: 'Origen',
      terms: 'Mensualidades',
      amountFrom: 'Importe desde',
      amountTo: 'Importe hasta',
      issuingBank: 'Banco emisor',
      settledOn: 'Cobrado el',
      refundedOn: 'Devuelto el',
      subscriptionId: 'Suscripción',
      salespersonId: 'Quien vendió',
      branchId: 'Sucursal',
      terminalId: 'Terminal',
    },
    none: {
      title: 'Ningún pago coincide',
      text: 'Quita alguno de los filtros, o busca de otra manera. No hay filtros ocultos: se buscó en todo tu historial.',
      clear: 'Quitar todos los filtros',
    },
    first: {
      title: 'Todavía no hay pagos',
      text: 'Aquí aparecerá cada pago en cuanto el banco conteste: de la API, de un enlace o de una terminal.',
    },
    cardNumber: {
      title: 'Eso parece un número de tarjeta',
      text: 'No lo buscamos ni lo guardamos. Busca por número de operación o por el id del pago.',
    },
  },
  en: {
    title: 'Payments',
    search: 'Find a payment',
    searchHint: 'Operation code, id, your externalId, amount (150.00), last four digits or e-mail',
    searchButton: 'Search',
    filters: 'Filters',
    apply: 'Apply filters',
    any: 'Any',
    paid: 'Paid, refunded or not',
    issuingBankHint: 'The whole name, with the capitals that it has on a payment’s page.',
    remove: (filter) => `Remove the filter ${filter}`,
    fields: {
      q: 'Search',
      status: 'Status',
      type: 'Type',
      from: 'From day',
      to: 'To day',
      source: 'Source',
      terms: 'Monthly payments',
      amountFrom: 'Amount from',
      amountTo: 'Amount to',
      issuingBank: 'Issuing bank',
      settledOn: 'Paid on',
      refundedOn: 'Refunded on',
      subscriptionId: 'Subscription',
      salespersonId: 'Sold by',
      branchId: 'Branch',
      terminalId: 'Terminal',
    },
    none: {
      title: 'No payment matches',
      text: 'Remove a filter, or search in another way. There are no hidden filters: your whole history was searched.',
      clear: 'Remove all filters',
    },
    first: {
      title: 'No payments yet',
      text: 'Each payment appears here as soon as the bank has answered: from the API, a link or a terminal.',
    },
    cardNumber: {
      title: 'That looks like a card number',
      text: 'We did not search for it and did not keep it. Search by operation code or by the payment’s id.',
    },
  },
};
