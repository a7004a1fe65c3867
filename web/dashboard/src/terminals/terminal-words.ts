import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Terminales',
  updates: 'Esta página se actualiza sola cada dos segundos; sin JavaScript, vuelve a cargarla.',
  connected: 'Conectada',
  away: 'Sin conexión',
  never: 'Nunca se ha conectado',
  seen: 'Vista por última vez',
  salesperson: 'Vende',
  idle: 'Sin cobro pendiente',
  waiting: 'Esperando la tarjeta',
  charging: 'Cobrando',
  until: 'Se puede pagar hasta',
  last: 'Último cobro',
  noLast: 'Todavía ninguno',
  outcomes: { CONFIRMED: 'Cobrado', DECLINED: 'Rechazado' },
  amount: 'Importe en pesos',
  send: 'Mandar',
  replaces: 'Un importe nuevo sustituye al que espera.',
  cancel: 'Cancelar el cobro',
  sent: 'El importe está en la terminal.',
  cancelled: 'El cobro se canceló.',
  wrongAmount: {
    title: 'El importe no es válido',
    text: 'No se mandó nada. Escribe un importe de 0.01 a 999,999,999.99, con dos decimales a lo más.',
  },
  empty: {
    title: 'Todavía no hay terminales',
    text: 'Quien opera Cobro registra una con este comando. La llave que imprime se escribe en la terminal.',
  },
  more: (count: number) => `Hay ${count} terminales más; aquí están las primeras.`,
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'Este formulario ya mandó otro importe',
      text: 'No se mandó otro. Mira la terminal y, si hace falta, mándalo otra vez.',
    },
    FORM_TOO_OLD: {
      title: 'Este formulario era demasiado viejo',
      text: 'No se mandó nada. Escribe el importe otra vez.',
    },
    TERMINAL_NOT_FOUND: { title: 'Esa terminal ya no está', text: 'No se mandó nada.' },
    INTENT_NOT_PENDING: { title: 'Ese cobro ya terminó', text: 'No se canceló. Mira su resultado en la terminal.' },
    INTENT_IN_PROGRESS: {
      title: 'La tarjeta se está cobrando en este momento',
      text: 'No se hizo nada. Espera el resultado.',
    },
    PAYMENT_INTENT_NOT_FOUND: { title: 'Ese cobro no existe', text: 'No se hizo nada.' },
  } as Record<string, { title: string; text: string }>,
  lost: {
    title: 'No llegó ninguna respuesta',
    text: 'No sabemos si se hizo. Mira la terminal antes de intentarlo otra vez.',
  },
};
export type TerminalWords = typeof es;

const en: TerminalWords = {
  title: 'Terminals',
  updates: 'This page refreshes itself every two seconds; without JavaScript, load it again.',
  connected: 'Connected',
  away: 'Not connected',
  never: 'Was never connected',
  seen: 'Last seen',
  salesperson: 'Salesperson',
  idle: 'No payment waiting',
  waiting: 'Waiting for the card',
  charging: 'Charging',
  until: 'Can be paid until',
  last: 'Last payment',
  noLast: 'None yet',
  outcomes: { CONFIRMED: 'Paid', DECLINED: 'Declined' },
  amount: 'Amount in pesos',
  send: 'Send',
  replaces: 'A new amount replaces the one that waits.',
  cancel: 'Cancel the payment',
  sent: 'The amount is at the terminal.',
  cancelled: 'The payment was cancelled.',
  wrongAmount: {
    title: 'The amount is not valid',
    text: 'Nothing was sent. Enter an amount from 0.01 to 999,999,999.99, with at most two decimals.',
  },
  empty: {
    title: 'No terminals yet',
    text: 'Who operates Cobro registers one by this command. The key that it prints is typed into the terminal.',
  },
  more: (count) => `There are ${count} more terminals; here are the first.`,
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'This form has sent another amount',
      text: 'No other was sent. Look at the terminal and send it again if you need to.',
    },
    FORM_TOO_OLD: { title: 'This form was too old', text: 'Nothing was sent. Enter the amount again.' },
    TERMINAL_NOT_FOUND: { title: 'That terminal is not there any more', text: 'Nothing was sent.' },
    INTENT_NOT_PENDING: {
      title: 'That payment has ended',
      text: 'It was not cancelled. Look at its outcome at the terminal.',
    },
    INTENT_IN_PROGRESS: {
      title: 'The card is being charged right now',
      text: 'Nothing was done. Wait for the outcome.',
    },
    PAYMENT_INTENT_NOT_FOUND: { title: 'There is no such payment', text: 'Nothing was done.' },
  },
  lost: {
    title: 'No answer came',
    text: 'We do not know whether it was done. Look at the terminal before you try again.',
  },
};

export const terminalWords: { [Name in Language]: TerminalWords } = { es, en };
