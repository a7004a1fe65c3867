import type { Language } from '@cobro/html/language.ts';

/** A refusal, and what to do next. */
interface Said {
  title: string;
  text: string;
}

interface DeveloperWords {
  developers: string;
  keys: string;
  events: string;
  webhooks: string;
  lost: Said;
  otherRefusal: Said;
  refusals: Readonly<Record<string, Said>>;
}

export const developerWords: { [Name in Language]: DeveloperWords } = {
  es: {
    developers: 'Desarrolladores',
    keys: 'Llaves',
    events: 'Eventos',
    webhooks: 'Webhooks',
    lost: {
      title: 'No llegó ninguna respuesta',
      text: 'No sabemos si se hizo. Mira la lista antes de intentarlo otra vez.',
    },
    otherRefusal: { title: 'No se pudo', text: 'No cambió nada. Mira la lista antes de intentarlo otra vez.' },
    refusals: {
      VALIDATION_ERROR: {
        title: 'Algo del formulario no es válido',
        text: 'No se hizo nada. Corrígelo y envíalo otra vez.',
      },
      RATE_LIMIT_EXCEEDED: {
        title: 'Demasiadas llaves en una hora',
        text: 'No se hizo nada. Las personas de aquí pueden hacer 20 por hora; espera o usa una que ya tengas.',
      },
      EXTERNAL_ID_MISMATCH: {
        title: 'Este formulario ya se usó',
        text: 'No se hizo nada nuevo. Abre otra vez la página para hacer otra llave.',
      },
      API_KEY_SHOWN_BEFORE: {
        title: 'Esta llave ya se mostró',
        text: 'Se muestra una sola vez. Si no la copiaste, revócala y haz otra.',
      },
      API_KEY_NOT_ACTIVE: {
        title: 'Esta llave ya no está activa',
        text: 'No se hizo nada: alguien la revocó o ya la cambió. Mira la lista.',
      },
      API_KEY_NOT_FOUND: { title: 'Esta llave no existe', text: 'No se hizo nada. Puede que alguien la haya borrado.' },
      FACTOR_NEEDED: {
        title: 'Falta tu segundo factor',
        text: 'No se hizo nada. Confírmalo y envía el formulario otra vez.',
      },
      FORBIDDEN: { title: 'Tu papel no permite esto', text: 'No se hizo nada. Pide a un dueño que lo haga.' },
      TOO_MANY_WEBHOOK_ENDPOINTS: {
        title: 'Ya hay 20 webhooks',
        text: 'No se hizo nada. Borra uno que ya no uses.',
      },
      WEBHOOK_ENDPOINT_MADE_BEFORE: {
        title: 'Este webhook se acaba de hacer',
        text: 'No se hizo otro. Está en la lista; si no viste su secreto, cámbialo ahí.',
      },
      WEBHOOK_ENDPOINT_NOT_FOUND: {
        title: 'Este webhook no existe',
        text: 'No se hizo nada. Puede que alguien lo haya borrado.',
      },
      WEBHOOK_SECRET_TURNING: {
        title: 'El secreto anterior todavía vale',
        text: 'No se hizo nada. Espera a que termine, o cámbialo sin dejar vivo el anterior: los dos secretos de ahora dejan de valer.',
      },
      WEBHOOK_DELIVERY_NOT_FOUND: {
        title: 'Esta entrega no existe',
        text: 'No se hizo nada. Las entregas se guardan 30 días.',
      },
      SERVICE_UNAVAILABLE: {
        title: 'Una parte de Cobro no responde',
        text: 'No se hizo nada. Intenta de nuevo en un momento.',
      },
    },
  },
  en: {
    developers: 'Developers',
    keys: 'Keys',
    events: 'Events',
    webhooks: 'Webhooks',
    lost: {
      title: 'No answer came',
      text: 'We do not know whether it was done. Look at the list before you try again.',
    },
    otherRefusal: { title: 'It was not possible', text: 'Nothing changed. Look at the list before you try again.' },
    refusals: {
      VALIDATION_ERROR: {
        title: 'Something in the form is not valid',
        text: 'Nothing was done. Correct it and send it again.',
      },
      RATE_LIMIT_EXCEEDED: {
        title: 'Too many keys in an hour',
        text: 'Nothing was done. The people here can make 20 an hour; wait, or use one that you have.',
      },
      EXTERNAL_ID_MISMATCH: {
        title: 'This form was used before',
        text: 'Nothing new was done. Open the page again to make another key.',
      },
      API_KEY_SHOWN_BEFORE: {
        title: 'This key was shown before',
        text: 'It is shown once. If you did not copy it, revoke it and make another.',
      },
      API_KEY_NOT_ACTIVE: {
        title: 'This key is not active any more',
        text: 'Nothing was done: somebody revoked it, or rolled it already. Look at the list.',
      },
      API_KEY_NOT_FOUND: { title: 'There is no such key', text: 'Nothing was done. Somebody may have deleted it.' },
      FACTOR_NEEDED: {
        title: 'Your second factor is needed',
        text: 'Nothing was done. Confirm it, and send the form again.',
      },
      FORBIDDEN: { title: 'Your role does not allow this', text: 'Nothing was done. Ask an owner to do it.' },
      TOO_MANY_WEBHOOK_ENDPOINTS: {
        title: 'There are 20 webhooks already',
        text: 'Nothing was done. Delete one that you do not use any more.',
      },
      WEBHOOK_ENDPOINT_MADE_BEFORE: {
        title: 'This webhook was made a moment ago',
        text: 'No other one was made. It is in the list; if you did not see its secret, replace it there.',
      },
      WEBHOOK_ENDPOINT_NOT_FOUND: {
        title: 'There is no such webhook',
        text: 'Nothing was done. Somebody may have deleted it.',
      },
      WEBHOOK_SECRET_TURNING: {
        title: 'The old secret is still valid',
        text: 'Nothing was done. Wait until it ends, or replace it without keeping the old one: both present secrets end at once.',
      },
      WEBHOOK_DELIVERY_NOT_FOUND: {
        title: 'There is no such delivery',
        text: 'Nothing was done. Deliveries are kept for 30 days.',
      },
      SERVICE_UNAVAILABLE: {
        title: 'A part of Cobro does not answer',
        text: 'Nothing was done. Try again in a moment.',
      },
    },
  },
};
