import type { Language } from '@cobro/html/language.ts';

interface Said {
  title: string;
  text: string;
}

const es = {
  title: 'Promociones',
  one: 'Promoción',
  filter: 'Estado de las promociones',
  filters: { ALL: 'Todas', PENDING: 'Por aceptar', SCHEDULED: 'Programadas', ACTIVE: 'Activas', ENDED: 'Terminadas' },
  statuses: { PENDING: 'Por aceptar', SCHEDULED: 'Programada', ACTIVE: 'Activa', ENDED: 'Terminada' },
  create: 'Nueva promoción',
  explain:
    'Una promoción dice quién paga la comisión de algunos pagos. Lo que paga tu cliente no cambia: tu socio pone una parte de tu comisión, y tú puedes darle una parte de la venta.',
  columns: { name: 'Nombre', until: 'Hasta', payments: 'Pagos', discount: 'Descuento', status: 'Estado' },
  ofMost: (count: string, most: string | null) => (most === null ? count : `${count} de ${most}`),
  any: 'Cualquiera',
  products: (count: number) => (count === 1 ? '1 producto' : `${count} productos`),
  otherProducts: (count: number) => `y ${count} más`,
  empty: {
    title: 'Todavía no hay promociones',
    text: 'Con una promoción tu socio comercial paga una parte de la comisión de algunos pagos, por ejemplo de los de seis meses.',
  },
  none: { title: 'Ninguna en este estado', text: 'Mira todas las promociones, o crea una.', all: 'Ver todas' },
  facts: {
    title: 'Condiciones',
    startsAt: 'Empieza',
    endsAt: 'Termina',
    terms: 'Mensualidades',
    types: 'Tipo de pago',
    networks: 'Red',
    issuingBanks: 'Bancos emisores',
    products: 'Productos',
    minimumAmount: 'Importe mínimo',
    sponsor: 'Socio',
    organization: 'Comercio',
    made: 'Creada',
    externalId: 'Tu referencia',
    id: 'Id',
  },
  numbers: {
    title: 'Pagos que la llevan',
    count: (count: string, isOne: boolean) => `${count} ${isOne ? 'pago' : 'pagos'}`,
    ofMost: (most: string) => `de ${most} como máximo`,
    noMost: 'Sin máximo de pagos.',
    counted: 'Cuentan los cobrados, los devueltos, las retenciones y los que el banco aún no contesta.',
  },
  sample: {
    title: (sale: string) => `De una venta de ${sale}`,
    ofMerchant: { fee: 'Tu socio paga de tu comisión', iva: 'y el IVA de esa parte', take: 'Tú le das' },
    ofSponsor: {
      fee: 'Pagas de la comisión',
      iva: 'y el IVA de esa parte',
      take: 'El comercio te da',
      total: 'En total',
    },
    cap: 'Si la comisión de un pago es menor que el descuento, tu socio paga toda y no más.',
    capOfSponsor:
      'Es lo más que puede ser: si la comisión de un pago es menor que el descuento, la pagas toda y no más.',
  },
  pending: {
    title: 'Tu socio tiene que aceptarla',
    text: (sponsor: string) => `${sponsor} la ve en su panel. Hasta que la acepte ningún pago la lleva.`,
  },
  end: {
    title: 'Terminar la promoción',
    explain:
      'Ningún pago que se haga después la llevará. No se puede deshacer. Los pagos que ya la llevan se quedan igual.',
    button: 'Terminar para siempre',
    back: 'No, volver a la promoción',
  },
  accept: {
    title: 'Aceptar la promoción',
    costs: (sale: string, fee: string, iva: string) =>
      `De cada venta de ${sale} pagas hasta ${fee} de comisión y ${iva} de IVA.`,
    gets: (take: string) => `El comercio te da ${take}.`,
    most: (count: string) => `Son ${count} ventas como máximo.`,
    noMost: 'No hay un máximo de ventas: cuesta tanto como se venda.',
    endable: 'Puedes terminarla cuando quieras, pero lo que ya se vendió se paga.',
    button: 'Aceptar y pagar mi parte',
    back: 'No, volver a la promoción',
  },
  ofPartner: {
    title: 'Promociones',
    explain: 'Las que pagas tú, de tus comercios. Una por aceptar no cuesta nada hasta que la aceptas.',
    columns: { discount: 'Pagas', take: 'Te dan' },
    empty: {
      title: 'Todavía no hay promociones',
      text: 'Tus comercios las proponen, y aparecen aquí para que las aceptes.',
    },
    none: { title: 'Ninguna en este estado', text: 'Mira todas las promociones.', all: 'Ver todas' },
    onlyOwner: 'La acepta una persona dueña del socio.',
  },
  done: {
    created: 'La promoción está lista.',
    ended: 'La promoción terminó. Ningún pago nuevo la lleva.',
    accepted: 'Aceptaste la promoción.',
  },
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'Ya hay otra promoción con esta referencia',
      text: 'No se creó otra. Búscala en la lista, o usa otra referencia.',
    },
    FORM_USED: {
      title: 'Este formulario ya creó una promoción con otros datos',
      text: 'Está en la lista. Si quieres una más, revisa los datos y envía el formulario otra vez.',
    },
    FORM_TOO_OLD: {
      title: 'Este formulario era demasiado viejo',
      text: 'No se creó nada. Revisa los datos y envíalo otra vez.',
    },
    PRODUCT_NOT_FOUND: { title: 'Un producto ya no está', text: 'No se creó nada. Elige los productos otra vez.' },
    PROMOTION_SPONSOR_MISSING: {
      title: 'Tu organización no tiene socio comercial',
      text: 'No se creó nada. Una promoción la paga un socio; pide a soporte que te registre con uno.',
    },
    PROMOTION_LIMIT_REACHED: {
      title: 'Ya hay 50 promociones sin terminar',
      text: 'No se creó nada. Termina una que ya no haga falta, y envía el formulario otra vez.',
    },
    PROMOTION_ENDED: { title: 'La promoción ya terminó', text: 'No se aceptó. El comercio puede crear otra.' },
    VALIDATION_ERROR: { title: 'Algo del formulario no es válido', text: 'No se creó nada. Corrige lo señalado.' },
  } as Record<string, Said>,
};
export type PromotionWords = typeof es;

const en: PromotionWords = {
  title: 'Promotions',
  one: 'Promotion',
  filter: 'Status of the promotions',
  filters: { ALL: 'All', PENDING: 'To be accepted', SCHEDULED: 'Scheduled', ACTIVE: 'Active', ENDED: 'Ended' },
  statuses: { PENDING: 'To be accepted', SCHEDULED: 'Scheduled', ACTIVE: 'Active', ENDED: 'Ended' },
  create: 'New promotion',
  explain:
    'A promotion says who pays the fee of some payments. What your customer pays stays the same: your partner bears a part of your fee, and you may give it a part of the sale.',
  columns: { name: 'Name', until: 'Until', payments: 'Payments', discount: 'Discount', status: 'Status' },
  ofMost: (count, most) => (most === null ? count : `${count} of ${most}`),
  any: 'Any',
  products: (count) => (count === 1 ? '1 product' : `${count} products`),
  otherProducts: (count) => `and ${count} more`,
  empty: {
    title: 'No promotions yet',
    text: 'With a promotion your sales partner bears a part of the fee of some payments, for example of those in six months.',
  },
  none: { title: 'None in this status', text: 'Look at all promotions, or create one.', all: 'Show all' },
  facts: {
    title: 'Terms',
    startsAt: 'Starts',
    endsAt: 'Ends',
    terms: 'Months',
    types: 'Kind of payment',
    networks: 'Network',
    issuingBanks: 'Issuing banks',
    products: 'Products',
    minimumAmount: 'Smallest amount',
    sponsor: 'Partner',
    organization: 'Merchant',
    made: 'Created',
    externalId: 'Your reference',
    id: 'Id',
  },
  numbers: {
    title: 'Payments that carry it',
    count: (count, isOne) => `${count} ${isOne ? 'payment' : 'payments'}`,
    ofMost: (most) => `of ${most} at most`,
    noMost: 'Without a limit of payments.',
    counted: 'Paid and refunded ones count, holds, and those that the bank has not answered yet.',
  },
  sample: {
    title: (sale) => `Of a sale of ${sale}`,
    ofMerchant: { fee: 'Your partner pays of your fee', iva: 'and the IVA of that part', take: 'You give it' },
    ofSponsor: {
      fee: 'You pay of the fee',
      iva: 'and the IVA of that part',
      take: 'The merchant gives you',
      total: 'In all',
    },
    cap: 'Where the fee of a payment is less than the discount, your partner pays all of it and no more.',
    capOfSponsor:
      'This is the most that it can be: where the fee of a payment is less than the discount, you pay all of it and no more.',
  },
  pending: {
    title: 'Your partner has to accept it',
    text: (sponsor) => `${sponsor} sees it in its dashboard. Until it accepts, no payment carries it.`,
  },
  end: {
    title: 'End the promotion',
    explain:
      'No payment that is made later will carry it. This cannot be undone. Payments that carry it already stay as they are.',
    button: 'End it for good',
    back: 'No, back to the promotion',
  },
  accept: {
    title: 'Accept the promotion',
    costs: (sale, fee, iva) => `Of each sale of ${sale} you pay up to ${fee} of the fee and ${iva} of IVA.`,
    gets: (take) => `The merchant gives you ${take}.`,
    most: (count) => `There are ${count} sales at most.`,
    noMost: 'There is no limit of sales: it costs as much as is sold.',
    endable: 'You can end it at any time, but what was sold by then is paid.',
    button: 'Accept and pay my part',
    back: 'No, back to the promotion',
  },
  ofPartner: {
    title: 'Promotions',
    explain: 'Those that you pay, of your merchants. One to be accepted costs nothing until you accept it.',
    columns: { discount: 'You pay', take: 'You get' },
    empty: { title: 'No promotions yet', text: 'Your merchants propose them, and they are here for you to accept.' },
    none: { title: 'None in this status', text: 'Look at all promotions.', all: 'Show all' },
    onlyOwner: 'An owner of the partner accepts it.',
  },
  done: {
    created: 'The promotion is ready.',
    ended: 'The promotion has ended. No new payment carries it.',
    accepted: 'You have accepted the promotion.',
  },
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'There is another promotion with this reference',
      text: 'No other was created. Look for it in the list, or use another reference.',
    },
    FORM_USED: {
      title: 'This form has created a promotion with other data',
      text: 'It is in the list. If you want one more, check the data and send the form again.',
    },
    FORM_TOO_OLD: {
      title: 'This form was too old',
      text: 'Nothing was created. Check the data and send it again.',
    },
    PRODUCT_NOT_FOUND: { title: 'A product is gone', text: 'Nothing was created. Choose the products again.' },
    PROMOTION_SPONSOR_MISSING: {
      title: 'Your organization has no sales partner',
      text: 'Nothing was created. A partner pays for a promotion; ask support to register you with one.',
    },
    PROMOTION_LIMIT_REACHED: {
      title: 'There are 50 promotions that have not ended',
      text: 'Nothing was created. End one that is no longer needed, and send the form again.',
    },
    PROMOTION_ENDED: {
      title: 'The promotion has ended',
      text: 'It was not accepted. The merchant can create another.',
    },
    VALIDATION_ERROR: {
      title: 'Something in the form is not valid',
      text: 'Nothing was created. Mend what is marked.',
    },
  },
};

export const promotionWords: { [Name in Language]: PromotionWords } = { es, en };
