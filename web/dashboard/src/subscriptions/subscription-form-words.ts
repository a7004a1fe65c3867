import type { Language } from '@cobro/html/language.ts';

interface Said {
  title: string;
  text: string;
}

/** Words of subscriptions' forms and refusals. */
const es = {
  form: {
    title: 'Nueva suscripción',
    explain: 'Si empieza hoy, la tarjeta se cobra en este momento.',
    paymentMethodId: 'Id de la tarjeta guardada',
    paymentMethodIdHint:
      'Está en la página de un pago con esa tarjeta. Tu cliente tiene que haber aceptado estos cargos.',
    amount: 'Importe de cada periodo, en pesos',
    amountHint: 'Como 1,250.50',
    periodicity: 'Se cobra',
    firstBillingDate: 'Primer cargo',
    firstBillingDateHint: 'Desde hoy hasta dentro de un año. Sin fecha, hoy.',
    totalPeriods: 'Número de periodos',
    totalPeriodsHint: 'De 1 a 600. Sin número, hasta que la canceles.',
    description: 'Concepto',
    button: 'Crear la suscripción',
    back: 'No, volver a las suscripciones',
    errors: {
      paymentMethodId: 'Escribe el id de una tarjeta guardada.',
      amount: 'Escribe un importe de 0.01 a 999,999,999.99, con dos decimales a lo más.',
      periodicity: 'Elige cada cuánto se cobra.',
      firstBillingDate: 'Escribe un día desde hoy hasta dentro de un año, o nada.',
      totalPeriods: 'Escribe un número entero de 1 a 600, o nada.',
      description: 'Escribe un concepto de hasta 500 caracteres, sin números de tarjeta.',
    },
  },
  pause: {
    title: 'Pausar',
    explain: 'Los periodos que empiecen en la pausa no se cobran, y el que corre tampoco si no está cobrado.',
    button: 'Pausar la suscripción',
  },
  resume: {
    title: 'Reanudar',
    explain:
      'Se cobra otra vez desde el siguiente periodo. Lo que se saltó no se cobra por sí solo. Si iba a cancelarse al terminar el periodo, ya no.',
    button: 'Reanudar la suscripción',
  },
  cancel: {
    title: 'Cancelar ahora',
    explain: 'No empieza ningún cargo más, y nada se devuelve. No se puede deshacer.',
    button: 'Cancelar ahora',
  },
  'cancel-at-end': {
    title: 'Cancelar al terminar el periodo',
    explain: 'El periodo que corre sigue; después no hay más cargos. Hasta entonces la puedes reanudar.',
    button: 'Cancelar al terminar',
  },
  collect: {
    title: 'Cobrar un periodo',
    explain: 'La tarjeta se cobra en este momento. Un periodo se cobra una sola vez.',
    button: 'Cobrar ahora',
  },
  back: 'No, volver a la suscripción',
  lost: {
    title: 'No sabemos si se hizo',
    text: 'La respuesta se perdió. Mira la suscripción antes de repetirlo; el mismo formulario no la crea dos veces.',
  },
  refusals: {
    PAYMENT_METHOD_NOT_FOUND: {
      title: 'Esa tarjeta no está',
      text: 'No se creó nada. Revisa el id de la tarjeta guardada.',
    },
    PAYMENT_METHOD_NOT_ACTIVE: {
      title: 'Esa tarjeta ya no se puede cobrar',
      text: 'Venció, fue revocada o no se ha confirmado. Usa otra tarjeta guardada.',
    },
    CHARGE_DECLINED: {
      title: 'El banco rechazó el cargo',
      text: 'No se cobró nada. Pide otra tarjeta a tu cliente.',
    },
    CHARGE_IN_PROGRESS: {
      title: 'Este periodo se está cobrando',
      text: 'No lo repitas: vuelve a cargar la página en un momento.',
    },
    SUBSCRIPTION_PERIOD_NOT_DUE: {
      title: 'Ese periodo todavía no empieza',
      text: 'Se cobra por sí solo a las 08:00 de su día.',
    },
    SUBSCRIPTION_ENDED: { title: 'La suscripción ya terminó', text: 'No cambió nada. Puedes crear otra.' },
    TOO_MANY_ATTEMPTS: {
      title: 'Este periodo ya se intentó demasiadas veces',
      text: 'El banco lo rechazó 15 veces. Pide otra tarjeta a tu cliente y espera al siguiente periodo.',
    },
    FEE_CHANNEL_UNKNOWN: {
      title: 'Falta tu tabla de comisiones para esta tarjeta',
      text: 'No se cobró nada. Escríbenos para agregarla.',
    },
    FORM_USED: {
      title: 'Este formulario ya creó una suscripción con otros datos',
      text: 'Está en la lista. Si quieres una más, revisa los datos y envía el formulario otra vez.',
    },
    FORM_TOO_OLD: {
      title: 'Este formulario era demasiado viejo',
      text: 'No se creó nada. Revisa los datos y envíalo otra vez.',
    },
    RATE_LIMIT_EXCEEDED: { title: 'Fueron demasiadas solicitudes', text: 'No se cobró nada; espera una hora.' },
    VALIDATION_ERROR: { title: 'Algo del formulario no es válido', text: 'No se creó nada. Corrige lo señalado.' },
  } as Record<string, Said>,
};
export type SubscriptionFormWords = typeof es;

const en: SubscriptionFormWords = {
  form: {
    title: 'New subscription',
    explain: 'If it begins today, the card is charged at once.',
    paymentMethodId: 'Id of the saved card',
    paymentMethodIdHint:
      'It is on the page of a payment with that card. Your customer must have agreed to these charges.',
    amount: 'Amount of each period, in pesos',
    amountHint: 'Like 1,250.50',
    periodicity: 'Charged',
    firstBillingDate: 'First charge',
    firstBillingDateHint: 'From today to a year from now. Without a date, today.',
    totalPeriods: 'Number of periods',
    totalPeriodsHint: 'From 1 to 600. Without a number, until you cancel it.',
    description: 'Description',
    button: 'Create the subscription',
    back: 'No, back to the subscriptions',
    errors: {
      paymentMethodId: 'Enter the id of a saved card.',
      amount: 'Enter an amount from 0.01 to 999,999,999.99, with at most two decimals.',
      periodicity: 'Choose how often it is charged.',
      firstBillingDate: 'Enter a day from today to a year from now, or nothing.',
      totalPeriods: 'Enter a whole number from 1 to 600, or nothing.',
      description: 'Enter a description of up to 500 characters, without card numbers.',
    },
  },
  pause: {
    title: 'Pause',
    explain: 'Periods that begin while it is paused are not charged, nor is the current one unless it is paid.',
    button: 'Pause the subscription',
  },
  resume: {
    title: 'Resume',
    explain:
      'It is charged again from the next period on. What was skipped is not charged by itself. If it was to be cancelled at the end of the period, it no longer is.',
    button: 'Resume the subscription',
  },
  cancel: {
    title: 'Cancel now',
    explain: 'No further charge begins, and nothing is given back. This cannot be undone.',
    button: 'Cancel now',
  },
  'cancel-at-end': {
    title: 'Cancel at the end of the period',
    explain: 'The current period goes on; then there are no more charges. Until then you can resume it.',
    button: 'Cancel at the end',
  },
  collect: {
    title: 'Collect a period',
    explain: 'The card is charged at once. A period is charged once only.',
    button: 'Charge now',
  },
  back: 'No, back to the subscription',
  lost: {
    title: 'We do not know whether it was done',
    text: 'The answer was lost. Look at the subscription before you repeat it; the same form does not create it twice.',
  },
  refusals: {
    PAYMENT_METHOD_NOT_FOUND: {
      title: 'There is no such card',
      text: 'Nothing was created. Check the saved card’s id.',
    },
    PAYMENT_METHOD_NOT_ACTIVE: {
      title: 'That card cannot be charged any more',
      text: 'It has expired, was revoked or is not confirmed. Use another saved card.',
    },
    CHARGE_DECLINED: {
      title: 'The bank declined the charge',
      text: 'Nothing was charged. Ask your customer for another card.',
    },
    CHARGE_IN_PROGRESS: {
      title: 'This period is being charged',
      text: 'Do not repeat it: load the page again in a moment.',
    },
    SUBSCRIPTION_PERIOD_NOT_DUE: {
      title: 'That period has not begun',
      text: 'It is charged by itself at 08:00 of its day.',
    },
    SUBSCRIPTION_ENDED: {
      title: 'The subscription has ended',
      text: 'Nothing was changed. You can create another one.',
    },
    TOO_MANY_ATTEMPTS: {
      title: 'This period was tried too often',
      text: 'The bank declined it 15 times. Ask your customer for another card and wait for the next period.',
    },
    FEE_CHANNEL_UNKNOWN: {
      title: 'Your fee table lacks this kind of card',
      text: 'Nothing was charged. Write to us to have it added.',
    },
    FORM_USED: {
      title: 'This form has created a subscription with other data',
      text: 'It is in the list. If you want one more, check the data and send the form again.',
    },
    FORM_TOO_OLD: { title: 'This form was too old', text: 'Nothing was created. Check the data and send it again.' },
    RATE_LIMIT_EXCEEDED: { title: 'Those were too many requests', text: 'Nothing was charged; wait an hour.' },
    VALIDATION_ERROR: {
      title: 'Something in the form is not valid',
      text: 'Nothing was created. Mend what is marked.',
    },
  },
};

export const subscriptionFormWords: { [Name in Language]: SubscriptionFormWords } = { es, en };
