import type { Language } from '@cobro/html/language.ts';

interface Said {
  title: string;
  text: string;
}

const es = {
  title: 'Cobros únicos',
  filter: 'Estado de los enlaces',
  filters: { ALL: 'Todos', PENDING: 'Por pagar', CONFIRMED: 'Pagados', CANCELLED: 'Cancelados' },
  statuses: { PENDING: 'Por pagar', CONFIRMED: 'Pagado', CANCELLED: 'Cancelado', EXPIRED: 'Vencido' },
  create: 'Nuevo cobro único',
  columns: { description: 'Concepto', made: 'Creado', expires: 'Vence', status: 'Estado', amount: 'Importe' },
  empty: {
    title: 'Todavía no hay enlaces',
    text: 'Crea uno y mándalo por WhatsApp, imprímelo con su código QR o pégalo en un correo. Tu cliente lo paga una vez, en una página segura.',
  },
  none: { title: 'Ninguno en este estado', text: 'Mira todos los enlaces, o crea uno.', all: 'Ver todos' },
  form: {
    title: 'Nuevo cobro único',
    amount: 'Importe en pesos',
    amountHint: 'Como 1,250.50',
    description: 'Concepto',
    descriptionHint: 'Tu cliente lo ve en la página de pago.',
    terms: 'Mensualidades que puede elegir',
    termsHint: 'A meses sólo con tarjeta de crédito. Cada plazo puede tener otra comisión.',
    calculator: 'Ver qué recibes con cada plazo',
    single: 'Un solo pago',
    months: (terms: number) => `${terms} meses`,
    expires: 'Se puede pagar durante',
    days: (days: number) => (days === 1 ? '1 día' : `${days} días`),
    externalId: 'Tu referencia',
    externalIdHint: 'Por ejemplo tu número de pedido. Con la misma referencia no se crea otro enlace.',
    button: 'Crear el enlace',
    back: 'No, volver a los enlaces',
    errors: {
      amount: 'Escribe un importe de 0.01 a 999,999,999.99, con dos decimales a lo más.',
      description: 'Escribe un concepto de hasta 500 caracteres, sin números de tarjeta.',
      terms: 'Elige al menos una forma de pagar.',
      externalId: 'Escribe una referencia de hasta 255 caracteres que no parezca un número de tarjeta.',
    },
  },
  detail: {
    title: 'Cobro único',
    address: 'Dirección de pago',
    qr: 'Código QR de la dirección de pago',
    open: 'Abrir la página',
    whatsApp: 'Mandar por WhatsApp',
    poster: 'Cartel para imprimir',
    share: 'Compartir',
    facts: 'Datos',
    made: 'Creado',
    expires: 'Vence',
    seller: 'Quién vende',
    terms: 'Plazos',
    externalId: 'Tu referencia',
    id: 'Id',
    payment: 'Pago',
    message: (description: string, amount: string, url: string) => `${description}: ${amount} MXN. Paga aquí: ${url}`,
  },
  poster: {
    title: 'Cartel',
    pay: 'Escanea y paga con tu tarjeta',
    print: 'Imprimir',
    how: 'Para imprimirlo usa la función de imprimir de tu navegador.',
  },
  cancel: {
    title: 'Cancelar el enlace',
    explain: 'Ya nadie podrá pagarlo. No se puede deshacer; siempre puedes crear otro.',
    button: 'Cancelar el enlace',
    back: 'No, volver al enlace',
  },
  done: { created: 'El enlace está listo. Compártelo.', cancelled: 'El enlace se canceló.' },
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'Ya hay otro enlace con esta referencia',
      text: 'No se creó otro. Búscalo en la lista, o usa otra referencia.',
    },
    FORM_USED: {
      title: 'Este formulario ya creó un enlace con otros datos',
      text: 'Está en la lista. Si quieres uno más, revisa los datos y envía el formulario otra vez.',
    },
    FORM_TOO_OLD: {
      title: 'Este formulario era demasiado viejo',
      text: 'No se creó nada. Revisa los datos y envíalo otra vez.',
    },
    ONE_TIME_PAYMENT_NOT_PENDING: {
      title: 'El enlace ya se pagó',
      text: 'No se canceló. Si hace falta, devuelve el pago.',
    },
    PAYMENT_IN_PROGRESS: {
      title: 'Alguien lo está pagando en este momento',
      text: 'No se canceló. Espera el resultado y vuelve a mirar.',
    },
    SALESPERSON_NOT_FOUND: { title: 'Esa persona ya no está', text: 'No se creó nada. Elige a otra.' },
    SALESPERSON_NOT_ACTIVE: { title: 'Esa persona ya no vende', text: 'No se creó nada. Elige a otra.' },
    VALIDATION_ERROR: { title: 'Algo del formulario no es válido', text: 'No se creó nada. Corrige lo señalado.' },
  } as Record<string, Said>,
  lost: {
    title: 'No llegó ninguna respuesta',
    text: 'No sabemos si se hizo. Puedes enviar este mismo formulario otra vez: no se hace dos veces.',
  },
};
export type LinkWords = typeof es;

const en: LinkWords = {
  title: 'One-time payments',
  filter: 'Status of the links',
  filters: { ALL: 'All', PENDING: 'To be paid', CONFIRMED: 'Paid', CANCELLED: 'Cancelled' },
  statuses: { PENDING: 'To be paid', CONFIRMED: 'Paid', CANCELLED: 'Cancelled', EXPIRED: 'Expired' },
  create: 'New one-time payment',
  columns: { description: 'Description', made: 'Created', expires: 'Expires', status: 'Status', amount: 'Amount' },
  empty: {
    title: 'No links yet',
    text: 'Create one and send it by WhatsApp, print it with its QR code or put it into an e-mail. Your customer pays it once, on a secure page.',
  },
  none: { title: 'None in this status', text: 'Look at all links, or create one.', all: 'Show all' },
  form: {
    title: 'New one-time payment',
    amount: 'Amount in pesos',
    amountHint: 'Like 1,250.50',
    description: 'Description',
    descriptionHint: 'Your customer sees it on the payment page.',
    terms: 'Monthly payments to choose from',
    termsHint: 'Months are for credit cards only. Each number of months may have another fee.',
    calculator: 'See what you get with each',
    single: 'One payment',
    months: (terms) => `${terms} months`,
    expires: 'Can be paid for',
    days: (days) => (days === 1 ? '1 day' : `${days} days`),
    externalId: 'Your reference',
    externalIdHint: 'For example your order number. The same reference makes no second link.',
    button: 'Create the link',
    back: 'No, back to the links',
    errors: {
      amount: 'Enter an amount from 0.01 to 999,999,999.99, with at most two decimals.',
      description: 'Enter a description of up to 500 characters, without card numbers.',
      terms: 'Choose at least one way to pay.',
      externalId: 'Enter a reference of up to 255 characters that does not look like a card number.',
    },
  },
  detail: {
    title: 'One-time payment',
    address: 'Payment address',
    qr: 'QR code of the payment address',
    open: 'Open the page',
    whatsApp: 'Send by WhatsApp',
    poster: 'Poster to print',
    share: 'Share',
    facts: 'Details',
    made: 'Created',
    expires: 'Expires',
    seller: 'Who sells',
    terms: 'Months',
    externalId: 'Your reference',
    id: 'Id',
    payment: 'Payment',
    message: (description, amount, url) => `${description}: ${amount} MXN. Pay here: ${url}`,
  },
  poster: {
    title: 'Poster',
    pay: 'Scan and pay by card',
    print: 'Print',
    how: 'To print it, use the print function of your browser.',
  },
  cancel: {
    title: 'Cancel the link',
    explain: 'Nobody can pay it any more. This cannot be undone; you can always create another one.',
    button: 'Cancel the link',
    back: 'No, back to the link',
  },
  done: { created: 'The link is ready. Share it.', cancelled: 'The link was cancelled.' },
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'There is another link with this reference',
      text: 'No other was created. Find it in the list, or use another reference.',
    },
    FORM_USED: {
      title: 'This form has created a link with other data',
      text: 'It is in the list. If you want one more, check the data and send the form again.',
    },
    FORM_TOO_OLD: {
      title: 'This form was too old',
      text: 'Nothing was created. Check the data and send it again.',
    },
    ONE_TIME_PAYMENT_NOT_PENDING: {
      title: 'The link has been paid',
      text: 'It was not cancelled. If you need to, refund the payment.',
    },
    PAYMENT_IN_PROGRESS: {
      title: 'Somebody is paying it right now',
      text: 'It was not cancelled. Wait for the outcome and look again.',
    },
    SALESPERSON_NOT_FOUND: { title: 'That person is gone', text: 'Nothing was created. Choose another.' },
    SALESPERSON_NOT_ACTIVE: { title: 'That person sells no more', text: 'Nothing was created. Choose another.' },
    VALIDATION_ERROR: {
      title: 'Something in the form is not valid',
      text: 'Nothing was created. Mend what is marked.',
    },
  },
  lost: {
    title: 'No answer came',
    text: 'We do not know whether it was done. You can send this same form again: it is not done twice.',
  },
};

export const linkWords: { [Name in Language]: LinkWords } = { es, en };
