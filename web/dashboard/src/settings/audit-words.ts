import type { Language } from '@cobro/html/language.ts';

interface AuditWords {
  /** The groups of actions to filter by. */
  groups: readonly (readonly [group: string, label: string])[];
  all: string;
  everybody: string;
  from: string;
  to: string;
  show: string;
  csv: string;
  none: string;
  /** For a row of a fee table. */
  fees: { added: string; removed: string };
}

export const auditWords: { [Name in Language]: AuditWords } = {
  es: {
    groups: [
      ['payment', 'Pagos'],
      ['link', 'Cobros únicos'],
      ['payment-link', 'Enlaces de pago'],
      ['product', 'Productos'],
      ['promotion', 'Promociones'],
      ['subscription', 'Suscripciones'],
      ['terminal', 'Terminales'],
      ['deposit', 'Depósitos'],
      ['api-key', 'Llaves de API'],
      ['webhook', 'Webhooks'],
      ['organization', 'Organizaciones'],
      ['fees', 'Comisiones'],
      ['people', 'Personas'],
      ['sign-in', 'Entradas'],
      ['step-up', 'Confirmaciones'],
      ['passkey', 'Llaves de acceso'],
      ['sign-on', 'Proveedor de entrada'],
      ['export', 'Descargas'],
    ],
    all: 'Todo',
    everybody: 'Todas las personas',
    from: 'Desde',
    to: 'Hasta',
    show: 'Mostrar',
    csv: 'Descargar CSV',
    none: 'Nada coincide con estos filtros.',
    fees: { added: 'fila nueva', removed: 'fila quitada' },
  },
  en: {
    groups: [
      ['payment', 'Payments'],
      ['link', 'One-time payments'],
      ['payment-link', 'Payment links'],
      ['product', 'Products'],
      ['promotion', 'Promotions'],
      ['subscription', 'Subscriptions'],
      ['terminal', 'Terminals'],
      ['deposit', 'Deposits'],
      ['api-key', 'API keys'],
      ['webhook', 'Webhooks'],
      ['organization', 'Organizations'],
      ['fees', 'Fees'],
      ['people', 'People'],
      ['sign-in', 'Sign-ins'],
      ['step-up', 'Confirmations'],
      ['passkey', 'Passkeys'],
      ['sign-on', 'Sign-in provider'],
      ['export', 'Downloads'],
    ],
    all: 'Everything',
    everybody: 'Everybody',
    from: 'From',
    to: 'To',
    show: 'Show',
    csv: 'Download CSV',
    none: 'Nothing fits these filters.',
    fees: { added: 'new row', removed: 'row removed' },
  },
};
