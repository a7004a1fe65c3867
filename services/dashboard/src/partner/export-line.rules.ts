import type { PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import { clockInMexicoCity } from '@cobro/domain/mexico-city.ts';
import { csvLine } from '../audit/csv-line.ts';

type Language = 'es' | 'en';
type Column = readonly [es: string, en: string, of: (payment: PartnerPayment) => string | number | null];

const local = ({ createdAt }: PartnerPayment) => clockInMexicoCity(new Date(createdAt)).toISOString();

const columns: readonly Column[] = [
  ['Operación', 'Operation', ({ operationCode }) => operationCode],
  ['Creado: día (Ciudad de México)', 'Created: day (Mexico City)', (one) => local(one).slice(0, 10)],
  ['Creado: hora (Ciudad de México)', 'Created: time (Mexico City)', (one) => local(one).slice(11, 19)],
  ['Creado (UTC)', 'Created (UTC)', ({ createdAt }) => createdAt],
  ['Organización', 'Organization', ({ organization }) => organization.name],
  ['Estado', 'Status', ({ status }) => status],
  ['Importe (MXN)', 'Amount (MXN)', ({ amount }) => amount.toFixed(2)],
  ['Comisión (MXN)', 'Fee (MXN)', ({ paymentDisbursement: part }) => part.merchantFeeAmount],
  ['IVA de la comisión (MXN)', 'IVA of the fee (MXN)', ({ paymentDisbursement: part }) => part.merchantIvaFeeAmount],
  ['Promoción (MXN)', 'Promotion (MXN)', ({ paymentDisbursement: part }) => part.promotionTakeAmount],
  ['Recibe (MXN)', 'Merchant gets (MXN)', ({ paymentDisbursement: part }) => part.merchantTakeAmount],
  ['Mensualidades', 'Terms', ({ terms }) => terms],
  ['Tipo', 'Type', ({ type }) => type],
  ['Red', 'Network', ({ cardInformation: card }) => card.networkType],
  ['Últimos cuatro', 'Last four', ({ cardInformation: card }) => card.lastFourDigits.slice(-4)],
  ['Crédito o débito', 'Funding source', ({ cardInformation: card }) => card.fundingSource],
  ['Banco emisor', 'Issuing bank', ({ cardInformation: card }) => card.issuingBank],
  ['Nombre', 'First name', ({ billingInformation: payer }) => payer.firstName],
  ['Apellido', 'Last name', ({ billingInformation: payer }) => payer.lastName],
  ['Correo', 'Email', ({ billingInformation: payer }) => payer.email],
  ['Id', 'Id', ({ id }) => id],
  ['Id de la organización', 'Organization id', ({ organization }) => organization.id],
];

/** Lets Excel recognize UTF-8. */
const MARK = '\uFEFF';

export const headLine = (language: Language): string =>
  `${MARK}${csvLine(columns.map(([es, en]) => (language === 'es' ? es : en)))}`;
export const paymentLine = (payment: PartnerPayment): string => csvLine(columns.map(([, , of]) => of(payment)));
