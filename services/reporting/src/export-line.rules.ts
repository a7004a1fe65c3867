import type { ReportedPayment } from '@cobro/contracts/reports.ts';
import { clockInMexicoCity } from '@cobro/domain/mexico-city.ts';

type Cell = string | number | null;
type Language = 'es' | 'en';

interface Column {
  es: string;
  en: string;
  of: (payment: ReportedPayment) => Cell;
}

const column = (es: string, en: string, of: Column['of']): Column => ({ es, en, of });

/** Three columns of one time: day and time in Mexico City, and the instant. */
const times = (es: string, en: string, of: (payment: ReportedPayment) => string | null): Column[] => {
  const local = (payment: ReportedPayment) => {
    const time = of(payment);
    return time === null ? null : clockInMexicoCity(new Date(time)).toISOString();
  };
  return [
    column(`${es}: día (Ciudad de México)`, `${en}: day (Mexico City)`, (one) => local(one)?.slice(0, 10) ?? null),
    column(`${es}: hora (Ciudad de México)`, `${en}: time (Mexico City)`, (one) => local(one)?.slice(11, 19) ?? null),
    column(`${es} (UTC)`, `${en} (UTC)`, of),
  ];
};

const pesos = (amount: number | null): Cell => amount?.toFixed(2) ?? null;

const columns: readonly Column[] = [
  column('Operación', 'Operation', ({ operationCode }) => operationCode),
  ...times('Creado', 'Created', ({ createdAt }) => createdAt),
  column('Estado', 'Status', ({ status }) => status),
  column('Importe (MXN)', 'Amount (MXN)', ({ amount }) => pesos(amount)),
  column('Retenido (MXN)', 'Held (MXN)', ({ heldAmount }) => pesos(heldAmount)),
  column('Comisión (MXN)', 'Fee (MXN)', ({ fee }) => pesos(fee)),
  column('IVA de la comisión (MXN)', 'IVA of the fee (MXN)', ({ feeIva }) => pesos(feeIva)),
  column('Promoción (MXN)', 'Promotion (MXN)', ({ promotionTake }) => pesos(promotionTake)),
  column('Recibes (MXN)', 'You get (MXN)', ({ take }) => pesos(take)),
  column('Mensualidades', 'Terms', ({ terms }) => terms),
  column('Tipo', 'Type', ({ type }) => type),
  column('Origen', 'Source', ({ source }) => source),
  column('Red', 'Network', ({ card }) => card.network),
  column('Últimos cuatro', 'Last four', ({ card }) => card.lastFourDigits),
  column('Crédito o débito', 'Funding source', ({ card }) => card.fundingSource),
  column('Banco emisor', 'Issuing bank', ({ card }) => card.issuingBank),
  column('Tu referencia', 'Your reference', ({ externalId }) => externalId),
  column('Nombre', 'First name', ({ customer }) => customer.firstName),
  column('Apellido', 'Last name', ({ customer }) => customer.lastName),
  column('Correo', 'Email', ({ customer }) => customer.email),
  column('Teléfono', 'Phone', ({ customer }) => customer.phoneNumber),
  column('Motivo del rechazo', 'Decline code', ({ declineCode }) => declineCode),
  ...times('Devuelto', 'Refunded', ({ refundedAt }) => refundedAt),
  column('Id', 'Id', ({ id }) => id),
  column('Id de la tarjeta guardada', 'Saved card id', ({ paymentMethodId }) => paymentMethodId),
  column('Id del enlace', 'One-time payment id', ({ oneTimePaymentId }) => oneTimePaymentId),
  column('Id del enlace de pago', 'Payment link id', ({ paymentLinkId }) => paymentLinkId),
  column('Id de la suscripción', 'Subscription id', ({ subscriptionId }) => subscriptionId),
  column('Id del cobro en terminal', 'Payment intent id', ({ paymentIntentId }) => paymentIntentId),
  column('Id de la terminal', 'Terminal id', ({ terminalId }) => terminalId),
  column('Id de la sucursal', 'Branch id', ({ branchId }) => branchId),
  column('Id del vendedor', 'Salesperson id', ({ salespersonId }) => salespersonId),
];

/** The mark by which Excel recognizes UTF-8. */
const MARK = '\uFEFF';

export const headLine = (language: Language): string => `${MARK}${lineOf(columns.map((one) => one[language]))}`;
export const paymentLine = (payment: ReportedPayment): string => lineOf(columns.map(({ of }) => of(payment)));

const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  // A spreadsheet would run such text as a formula, whoever wrote it. Our own amounts are never negative.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
