import { html } from '@cobro/html/html.ts';
import type { Messages } from './messages.ts';

const nothingCharged = 'No se te cobró nada.';

export const es: Messages = {
  otherLanguage: { language: 'en', name: 'English' },
  payTitle: (merchant, amount) => `Pagar ${amount} a ${merchant}`,
  errorTitle: (title) => `Revisa: ${title}`,
  payTo: 'Pagas a',
  encrypted: 'Conexión cifrada',
  availableUntil: (time) => `Puedes pagar hasta el ${time}.`,
  sections: { card: 'Tarjeta', terms: 'Forma de pago', payer: 'Tus datos', more: 'Teléfono y dirección' },
  fields: {
    number: 'Número de tarjeta',
    expiry: 'Vencimiento',
    cvc: 'Código de seguridad',
    holderName: 'Nombre en la tarjeta',
    terms: 'Forma de pago',
    email: 'Correo electrónico',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    phoneNumber: 'Teléfono',
    addressLine: 'Calle, número y colonia',
    city: 'Ciudad o municipio',
    state: 'Estado',
    zip: 'Código postal',
  },
  optional: '(opcional)',
  expiryExample: 'MM/AA',
  cvcHint: '3 dígitos al reverso (Amex: 4 al frente)',
  networks: 'Puedes pagar con Visa, Mastercard, American Express y Carnet.',
  singlePayment: 'Un solo pago',
  monthly: (terms) => `${terms} pagos mensuales`,
  lastPayment: (amount) => `el último, de ${amount}`,
  perMonth: 'al mes',
  installmentsNote: (total) => `Los pagos mensuales son solo con tarjeta de crédito. El total es el mismo: ${total}.`,
  pay: (amount) => `Pagar ${amount}`,
  paying: 'Procesando tu pago…',
  cardSafety: 'El número de tu tarjeta se entrega a la bóveda del banco. Ni esta página ni el comercio lo guardan.',
  backTo: (merchant) => html`Volver a${merchant ? html` ${merchant}` : 'l comercio'}`,
  errors: {
    title: 'Revisa estos datos',
    required: {
      number: 'Escribe el número de tu tarjeta.',
      expiry: 'Escribe el vencimiento: mes y año.',
      cvc: 'Escribe el código de seguridad.',
      holderName: 'Escribe el nombre como aparece en la tarjeta.',
      terms: 'Elige una forma de pago.',
      email: 'Escribe tu correo electrónico.',
      firstName: 'Escribe tu nombre.',
      lastName: 'Escribe tus apellidos.',
    },
    invalid: {
      number: 'El número de tarjeta no es válido. Revísalo.',
      expiry: 'El vencimiento no es válido: usa MM/AA, como 08/29.',
      cvc: 'El código de seguridad tiene 3 dígitos (Amex: 4).',
      holderName: 'El nombre en la tarjeta no es válido: usa 255 caracteres como máximo.',
      terms: 'Esta forma de pago no está disponible. Elige otra.',
      email: 'El correo no es válido. Escríbelo como nombre@ejemplo.com.',
      firstName: 'El nombre no es válido: usa 255 caracteres como máximo.',
      lastName: 'Los apellidos no son válidos: usa 255 caracteres como máximo.',
      phoneNumber: 'El teléfono no es válido: usa 50 caracteres como máximo.',
      addressLine: 'La dirección no es válida: usa 255 caracteres como máximo.',
      city: 'La ciudad no es válida: usa 255 caracteres como máximo.',
      state: 'El estado no es válido: usa 255 caracteres como máximo.',
      zip: 'El código postal no es válido: usa 20 caracteres como máximo.',
    },
    expired: 'Esta tarjeta ya venció. Revisa la fecha.',
    cardNumber: 'Aquí no va el número de la tarjeta. Por tu seguridad lo borramos.',
  },
  declines: {
    generic: {
      title: 'Tu banco no autorizó el pago',
      text: `${nothingCharged} Intenta con otra tarjeta, o llama a tu banco al número que viene al reverso de la tuya.`,
    },
    insufficientFunds: {
      title: 'La tarjeta no tiene fondos suficientes',
      text: `${nothingCharged} Intenta con otra tarjeta, o vuelve a intentarlo cuando haya saldo disponible.`,
    },
    expiredCard: {
      title: 'La tarjeta está vencida',
      text: `${nothingCharged} Revisa la fecha de vencimiento o usa otra tarjeta.`,
    },
    wrongCvc: {
      title: 'El código de seguridad no coincide',
      text: `${nothingCharged} Revisa los 3 dígitos al reverso (4 al frente en American Express) e intenta de nuevo.`,
    },
    wrongNumber: {
      title: 'Tu banco no reconoce esta tarjeta',
      text: `${nothingCharged} Revisa el número y el vencimiento, o usa otra tarjeta.`,
    },
    unsupportedNetwork: {
      title: 'Aquí no se aceptan tarjetas de esta red',
      text: `${nothingCharged} Usa una tarjeta Visa, Mastercard, American Express o Carnet.`,
    },
    notSupported: {
      title: 'Esta tarjeta no permite este pago',
      text: `${nothingCharged} Usa otra tarjeta, o pide a tu banco que active las compras por internet.`,
    },
    notProcessed: {
      title: 'El banco no procesó el pago',
      text: `${nothingCharged} Puedes intentarlo de nuevo con la misma tarjeta.`,
    },
  },
  tooManyAttempts: (minutes) => ({
    title: 'Demasiados intentos rechazados',
    text: `${nothingCharged} Para proteger las tarjetas hacemos una pausa. Vuelve a intentarlo en ${
      minutes === 1 ? 'un minuto' : `${minutes} minutos`
    }.`,
  }),
  bankUnavailable: {
    title: 'No pudimos comunicarnos con el banco',
    text: `${nothingCharged} Escribe de nuevo el número y el código, y vuelve a intentarlo en un momento.`,
  },
  termsNotAvailable: {
    title: 'Esta tarjeta no permite pagos mensuales',
    text: `${nothingCharged} Elige otra forma de pago, o usa una tarjeta de crédito.`,
  },
  cardNotAccepted: {
    title: 'El comercio no acepta esta tarjeta',
    text: `${nothingCharged} Usa otra tarjeta o elige otra forma de pago.`,
  },
  amountChanged: {
    title: 'El precio cambió',
    text: `${nothingCharged} Revisa el nuevo importe. Si quieres pagarlo, escribe de nuevo los datos de la tarjeta.`,
  },
  inProgress: {
    title: 'Ya hay un pago en curso',
    text: 'Se abrió otro intento de pago en este enlace y el banco aún no responde. Por este intento no se te cobró nada. Espera un momento antes de volver a intentarlo.',
  },
  stalePage: {
    title: 'La página estuvo abierta mucho tiempo',
    text: `${nothingCharged} Escribe de nuevo los datos de la tarjeta y vuelve a intentarlo.`,
  },
  confirming: {
    title: 'Estamos confirmando tu pago',
    text: (merchant) => html`Esperamos la respuesta del banco por tu pago a ${merchant}. Esta página avanza sola.`,
    dontPayAgain: 'No hace falta que pagues otra vez. Puedes dejar esta página abierta o volver más tarde.',
    refresh: 'Consultar ahora',
  },
  paid: {
    title: 'Pago realizado',
    to: (merchant) => html`a ${merchant}`,
    description: 'Concepto',
    date: 'Fecha',
    card: 'Tarjeta',
    cardEnding: (network, lastFourDigits) => `${network} terminada en ${lastFourDigits}`,
    terms: 'Forma de pago',
    installments: (terms, each) => `${terms} pagos mensuales de ${each}`,
    operationCode: 'Código de operación',
    keep: 'Guarda el código de operación por si necesitas una aclaración.',
    print: 'Imprimir comprobante',
  },
  closed: {
    'already-paid': {
      title: 'Este enlace ya está pagado',
      text: 'El comercio ya recibió este pago y no se puede pagar otra vez. Si no fuiste tú, consulta con el comercio.',
    },
    cancelled: {
      title: 'Este enlace fue cancelado',
      text: 'El comercio canceló este cobro y ya no se puede pagar. Si esperabas pagarlo, pídele un enlace nuevo.',
    },
    expired: {
      title: 'Este enlace ya venció',
      text: 'El plazo para pagar terminó. Pide un enlace nuevo al comercio.',
    },
    inactive: {
      title: 'Este enlace no recibe pagos por ahora',
      text: 'El comercio lo desactivó y aquí no se puede pagar. Si esperabas pagarlo, consulta con el comercio.',
    },
    'sold-out': {
      title: 'Agotado',
      text: 'Ya se vendió todo lo que se ofrecía aquí y no se reciben más pagos. Pregunta al comercio si habrá más.',
    },
    'foreign-origin': {
      title: 'Este pago no salió de nuestra página',
      text: 'Los datos llegaron desde otro sitio y no los usamos: no se te cobró nada. Paga solo desde la página de pago.',
    },
  },
  openPage: 'Abrir la página de pago',
  nothing: {
    'not-found': {
      title: 'No encontramos este enlace',
      text: 'Revisa que la dirección esté completa o pide el enlace otra vez a quien te lo envió.',
    },
    unavailable: {
      title: 'No podemos mostrar esta página ahora',
      text: 'Vuelve a cargar esta página en un momento. Si ya habías enviado un pago, así verás cómo terminó; no pagas dos veces.',
    },
  },
};
