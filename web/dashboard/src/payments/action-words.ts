import type { Language } from '@cobro/html/language.ts';

interface ActionText {
  /** Title of the page and of the link to it. */
  title: string;
  explain: string;
  /** The button names the amount. */
  button: (amount: string) => string;
}

/** A refusal, and what to do next. */
interface Said {
  title: string;
  text: string;
}

export interface ActionWords {
  capture: ActionText & { amount: string; amountHint: (held: string) => string; wrongAmount: string };
  release: ActionText;
  refund: ActionText & { reason: string; reasonHint: string };
  back: string;
  done: { capture: string; release: string; refund: string };
  unknown: Said;
  refusals: Readonly<Record<string, Said>>;
  otherRefusal: Said;
  lost: Said;
}

export const actionWords: { [Name in Language]: ActionWords } = {
  es: {
    capture: {
      title: 'Cobrar la retención',
      explain: 'Se puede cobrar una sola vez. Si cobras menos, el banco del cliente libera el resto.',
      button: (amount) => `Cobrar hasta ${amount}`,
      amount: 'Importe',
      amountHint: (held) => `Retenido: ${held}. Escribe menos para un cobro parcial.`,
      wrongAmount: 'Escribe un importe con dos decimales a lo más, como 150.25.',
    },
    release: {
      title: 'Liberar la retención',
      explain: 'El dinero queda libre en la tarjeta y ya no se podrá cobrar.',
      button: (amount) => `Liberar ${amount}`,
    },
    refund: {
      title: 'Devolver el pago',
      explain: 'Se devuelve el importe completo a la misma tarjeta. No se puede deshacer.',
      button: (amount) => `Devolver ${amount}`,
      reason: 'Motivo',
      reasonHint: 'Para tu contabilidad; el cliente no lo ve.',
    },
    back: 'No, volver al pago',
    done: {
      capture: 'La retención se cobró.',
      release: 'La retención se liberó.',
      refund: 'El pago se devolvió.',
    },
    unknown: {
      title: 'El banco todavía no contesta',
      text: 'No lo repitas: preguntamos al banco hasta saber qué pasó, y esta página lo dirá.',
    },
    refusals: {
      CAPTURE_IN_PROGRESS: {
        title: 'El cobro ya está en proceso',
        text: 'No se hizo otro. Espera el resultado en la página del pago.',
      },
      RELEASE_IN_PROGRESS: {
        title: 'La liberación ya está en proceso',
        text: 'No se hizo otra. Espera el resultado en la página del pago.',
      },
      REFUND_IN_PROGRESS: {
        title: 'La devolución ya está en proceso',
        text: 'No se hizo otra. Espera el resultado en la página del pago.',
      },
      PAYMENT_ALREADY_REFUNDED: { title: 'Este pago ya se devolvió', text: 'No hace falta hacer nada más.' },
      PAYMENT_NOT_HELD: {
        title: 'Ya no hay dinero retenido',
        text: 'Se cobró, se liberó o venció. Mira el historial del pago.',
      },
      PAYMENT_NOT_REFUNDABLE: { title: 'Este pago no se puede devolver', text: 'Sólo se devuelven pagos cobrados.' },
      HOLD_WINDOW_CLOSED: {
        title: 'La ventana de la retención cerró a las 23:00',
        text: 'No se envió nada al banco. El dinero regresa al cliente; cobra de nuevo si hace falta.',
      },
      HOLD_CHANNEL_UNKNOWN: {
        title: 'Esta retención no tiene comisión asignada',
        text: 'Libérala y escribe a soporte.',
      },
      INVALID_CAPTURE_AMOUNT: {
        title: 'El importe no es válido',
        text: 'Escribe un importe mayor que cero, con dos decimales a lo más.',
      },
      CAPTURE_AMOUNT_EXCEEDS_HOLD: {
        title: 'El importe es mayor que lo retenido',
        text: 'Escribe como máximo el importe retenido.',
      },
      CAPTURE_DECLINED: {
        title: 'El banco rechazó el cobro',
        text: 'La retención sigue igual: puedes intentarlo otra vez o liberarla.',
      },
      RELEASE_DECLINED: {
        title: 'El banco rechazó la liberación',
        text: 'La retención sigue igual. Intenta más tarde; vence sola en su último día.',
      },
      REFUND_DECLINED: {
        title: 'El banco rechazó la devolución',
        text: 'El pago sigue cobrado. Intenta más tarde o escribe a soporte.',
      },
      BANK_UNAVAILABLE: {
        title: 'El banco no está disponible',
        text: 'No se hizo nada. Intenta de nuevo en un momento.',
      },
      SERVICE_UNAVAILABLE: {
        title: 'Una parte de Cobro no responde',
        text: 'No se hizo nada. Intenta de nuevo en un momento.',
      },
      VALIDATION_ERROR: {
        title: 'Algo del formulario no es válido',
        text: 'No se hizo nada. Un motivo tiene hasta 500 caracteres y ningún número de tarjeta.',
      },
      FORBIDDEN: { title: 'Tu papel no permite esto', text: 'No se hizo nada. Pide a un dueño que lo haga.' },
    },
    otherRefusal: { title: 'No se pudo', text: 'Mira el historial del pago antes de intentarlo otra vez.' },
    lost: {
      title: 'No llegó ninguna respuesta',
      text: 'No sabemos si se hizo. Mira el historial del pago antes de intentarlo otra vez.',
    },
  },
  en: {
    capture: {
      title: 'Capture the hold',
      explain: 'A hold is captured once. If you capture less, the customer’s bank frees the rest.',
      button: (amount) => `Capture up to ${amount}`,
      amount: 'Amount',
      amountHint: (held) => `Held: ${held}. Enter less for a partial capture.`,
      wrongAmount: 'Enter an amount with at most two decimals, like 150.25.',
    },
    release: {
      title: 'Release the hold',
      explain: 'The money is free on the card again and can no longer be captured.',
      button: (amount) => `Release ${amount}`,
    },
    refund: {
      title: 'Refund the payment',
      explain: 'The whole amount goes back to the same card. This cannot be undone.',
      button: (amount) => `Refund ${amount}`,
      reason: 'Reason',
      reasonHint: 'For your accounts; the customer does not see it.',
    },
    back: 'No, back to the payment',
    done: {
      capture: 'The hold was captured.',
      release: 'The hold was released.',
      refund: 'The payment was refunded.',
    },
    unknown: {
      title: 'The bank has not answered yet',
      text: 'Do not repeat it: we ask the bank until we know what happened, and this page will say it.',
    },
    refusals: {
      CAPTURE_IN_PROGRESS: {
        title: 'The capture is already in progress',
        text: 'No other was made. Wait for its outcome on the page of the payment.',
      },
      RELEASE_IN_PROGRESS: {
        title: 'The release is already in progress',
        text: 'No other was made. Wait for its outcome on the page of the payment.',
      },
      REFUND_IN_PROGRESS: {
        title: 'The refund is already in progress',
        text: 'No other was made. Wait for its outcome on the page of the payment.',
      },
      PAYMENT_ALREADY_REFUNDED: { title: 'This payment was refunded already', text: 'There is nothing more to do.' },
      PAYMENT_NOT_HELD: {
        title: 'No money is held any more',
        text: 'It was captured, was released or expired. Look at the payment’s history.',
      },
      PAYMENT_NOT_REFUNDABLE: { title: 'This payment cannot be refunded', text: 'Only paid payments are refunded.' },
      HOLD_WINDOW_CLOSED: {
        title: 'The hold’s window closed at 23:00',
        text: 'Nothing was sent to the bank. The money goes back to the customer; charge again if you need to.',
      },
      HOLD_CHANNEL_UNKNOWN: { title: 'This hold has no fee channel', text: 'Release it and contact support.' },
      INVALID_CAPTURE_AMOUNT: {
        title: 'The amount is not valid',
        text: 'Enter an amount above zero, with at most two decimals.',
      },
      CAPTURE_AMOUNT_EXCEEDS_HOLD: {
        title: 'The amount is greater than what is held',
        text: 'Enter at most the amount held.',
      },
      CAPTURE_DECLINED: {
        title: 'The bank declined the capture',
        text: 'The hold stays as it is: you can try again, or release it.',
      },
      RELEASE_DECLINED: {
        title: 'The bank declined the release',
        text: 'The hold stays as it is. Try later; it expires by itself on its last day.',
      },
      REFUND_DECLINED: {
        title: 'The bank declined the refund',
        text: 'The payment stays paid. Try later or contact support.',
      },
      BANK_UNAVAILABLE: { title: 'The bank is not available', text: 'Nothing was done. Try again in a moment.' },
      SERVICE_UNAVAILABLE: {
        title: 'A part of Cobro does not answer',
        text: 'Nothing was done. Try again in a moment.',
      },
      VALIDATION_ERROR: {
        title: 'Something in the form is not valid',
        text: 'Nothing was done. A reason has up to 500 characters and no card number.',
      },
      FORBIDDEN: { title: 'Your role does not allow this', text: 'Nothing was done. Ask an owner to do it.' },
    },
    otherRefusal: { title: 'It could not be done', text: 'Look at the payment’s history before you try again.' },
    lost: {
      title: 'No answer came',
      text: 'We do not know whether it was done. Look at the payment’s history before you try again.',
    },
  },
};
