import type { Language } from '@cobro/html/language.ts';

interface Said {
  title: string;
  text: string;
}

const es = {
  title: 'Enlaces de pago',
  one: 'Enlace de pago',
  filter: 'Estado de los enlaces',
  filters: { ALL: 'Todos', ACTIVE: 'Activos', INACTIVE: 'Desactivados', EXPIRED: 'Vencidos', SOLD_OUT: 'Agotados' },
  statuses: { ACTIVE: 'Activo', INACTIVE: 'Desactivado', EXPIRED: 'Vencido', SOLD_OUT: 'Agotado' },
  create: 'Nuevo enlace',
  columns: { description: 'Concepto', made: 'Creado', payments: 'Pagos', status: 'Estado', amount: 'Importe' },
  ofMost: (count: string, most: string | null) => (most === null ? count : `${count} de ${most}`),
  empty: {
    title: 'Todavía no hay enlaces',
    text: 'Un enlace lo paga quien quiera, cuantas veces haga falta: imprímelo con su código QR o publícalo. Para un solo cliente usa un cobro único.',
  },
  none: { title: 'Ninguno en este estado', text: 'Mira todos los enlaces, o crea uno.', all: 'Ver todos' },
  form: {
    title: 'Nuevo enlace de pago',
    product: 'Producto',
    noProduct: 'Ninguno',
    amount: 'Importe en pesos',
    amountHint: 'Como 1,250.50',
    amountOrProduct: 'Sólo sin producto: uno tiene su precio, también el que le pongas después.',
    description: 'Concepto',
    descriptionHint: 'Tus clientes lo ven en la página de pago.',
    descriptionOrProduct:
      'Tus clientes lo ven en la página de pago. Con un producto puede quedar el nombre del producto.',
    maxPayments: 'Pagos que acepta',
    maxPaymentsHint: 'De 1 a 1,000,000. Sin número, todos los que lleguen.',
    expiresAt: 'Se puede pagar hasta',
    expiresAtHint: 'Hora de la Ciudad de México. Sin fecha, hasta que lo desactives.',
    button: 'Crear el enlace',
    back: 'No, volver a los enlaces',
    errors: {
      amount:
        'Escribe un importe de 0.01 a 999,999,999.99, con dos decimales a lo más, o elige un producto: no los dos.',
      description: 'Escribe un concepto de hasta 500 caracteres, sin números de tarjeta.',
      maxPayments: 'Escribe un número entero de 1 a 1,000,000, o nada.',
      expiresAt: 'Escribe un día y una hora que no hayan pasado, o nada.',
    },
  },
  detail: {
    facts: 'Datos',
    payments: 'Pagos recibidos',
    noPayments: 'Todavía nadie ha pagado.',
    latest: 'Los últimos pagos',
    product: 'Producto',
    made: 'Creado',
    expires: 'Vence',
    terms: 'Mensualidades',
    externalId: 'Tu referencia',
    id: 'Id',
  },
  switchOff: {
    title: 'Desactivar el enlace',
    explain: 'Nadie podrá pagarlo hasta que lo actives otra vez. Los pagos que ya empezaron siguen su curso.',
    button: 'Desactivar',
    back: 'No, volver al enlace',
  },
  switchOn: {
    title: 'Activar el enlace',
    explain: 'Se podrá pagar otra vez en la misma dirección.',
    button: 'Activar',
    back: 'No, volver al enlace',
  },
  done: {
    created: 'El enlace está listo. Compártelo.',
    on: 'El enlace está activo.',
    off: 'El enlace está desactivado.',
  },
  refusals: {
    FORM_USED: {
      title: 'Este formulario ya creó un enlace con otros datos',
      text: 'Está en la lista. Si quieres uno más, revisa los datos y envía el formulario otra vez.',
    },
    FORM_TOO_OLD: {
      title: 'Este formulario era demasiado viejo',
      text: 'No se creó nada. Revisa los datos y envíalo otra vez.',
    },
    PRODUCT_NOT_FOUND: { title: 'Ese producto ya no está', text: 'No se creó nada. Elige otro.' },
    PRODUCT_NOT_ACTIVE: { title: 'Ese producto está archivado', text: 'No se creó nada. Elige otro.' },
    VALIDATION_ERROR: { title: 'Algo del formulario no es válido', text: 'No se creó nada. Corrige lo señalado.' },
  } as Record<string, Said>,
};
export type PaymentLinkWords = typeof es;

const en: PaymentLinkWords = {
  title: 'Payment links',
  one: 'Payment link',
  filter: 'Status of the links',
  filters: { ALL: 'All', ACTIVE: 'Active', INACTIVE: 'Switched off', EXPIRED: 'Expired', SOLD_OUT: 'Sold out' },
  statuses: { ACTIVE: 'Active', INACTIVE: 'Switched off', EXPIRED: 'Expired', SOLD_OUT: 'Sold out' },
  create: 'New link',
  columns: { description: 'Description', made: 'Created', payments: 'Payments', status: 'Status', amount: 'Amount' },
  ofMost: (count, most) => (most === null ? count : `${count} of ${most}`),
  empty: {
    title: 'No links yet',
    text: 'Anybody can pay a link, as often as needed: print it with its QR code or publish it. For one customer use a one-time payment.',
  },
  none: { title: 'None in this status', text: 'Look at all links, or create one.', all: 'Show all' },
  form: {
    title: 'New payment link',
    product: 'Product',
    noProduct: 'None',
    amount: 'Amount in pesos',
    amountHint: 'Like 1,250.50',
    amountOrProduct: 'Without a product only: one has its price, also the one that you give it later.',
    description: 'Description',
    descriptionHint: 'Your customers see it on the payment page.',
    descriptionOrProduct: 'Your customers see it on the payment page. With a product it may stay the product’s name.',
    maxPayments: 'Payments that it takes',
    maxPaymentsHint: 'From 1 to 1,000,000. Without a number, all that come.',
    expiresAt: 'Can be paid until',
    expiresAtHint: 'Mexico City time. Without a date, until you switch it off.',
    button: 'Create the link',
    back: 'No, back to the links',
    errors: {
      amount: 'Enter an amount from 0.01 to 999,999,999.99, with at most two decimals, or choose a product: not both.',
      description: 'Enter a description of up to 500 characters, without card numbers.',
      maxPayments: 'Enter a whole number from 1 to 1,000,000, or nothing.',
      expiresAt: 'Enter a day and a time that have not passed, or nothing.',
    },
  },
  detail: {
    facts: 'Details',
    payments: 'Payments received',
    noPayments: 'Nobody has paid yet.',
    latest: 'The latest payments',
    product: 'Product',
    made: 'Created',
    expires: 'Expires',
    terms: 'Months',
    externalId: 'Your reference',
    id: 'Id',
  },
  switchOff: {
    title: 'Switch the link off',
    explain: 'Nobody can pay it until you switch it on again. Payments that have begun go on.',
    button: 'Switch off',
    back: 'No, back to the link',
  },
  switchOn: {
    title: 'Switch the link on',
    explain: 'It can be paid again at the same address.',
    button: 'Switch on',
    back: 'No, back to the link',
  },
  done: { created: 'The link is ready. Share it.', on: 'The link is active.', off: 'The link is switched off.' },
  refusals: {
    FORM_USED: {
      title: 'This form has created a link with other data',
      text: 'It is in the list. If you want one more, check the data and send the form again.',
    },
    FORM_TOO_OLD: {
      title: 'This form was too old',
      text: 'Nothing was created. Check the data and send it again.',
    },
    PRODUCT_NOT_FOUND: { title: 'That product is gone', text: 'Nothing was created. Choose another.' },
    PRODUCT_NOT_ACTIVE: { title: 'That product is archived', text: 'Nothing was created. Choose another.' },
    VALIDATION_ERROR: {
      title: 'Something in the form is not valid',
      text: 'Nothing was created. Mend what is marked.',
    },
  },
};

export const paymentLinkWords: { [Name in Language]: PaymentLinkWords } = { es, en };
