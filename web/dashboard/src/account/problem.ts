import { html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import type { Content, Frame } from '../shell/frame.ts';

interface Said {
  title: string;
  sentence: string;
}
interface Words {
  known: Readonly<Record<string, Said>>;
  other: Said;
  back: string;
  code: string;
  request: string;
}

const words: { [Name in Language]: Words } = {
  es: {
    known: {
      NOT_FOUND: { title: 'No existe', sentence: 'No hay nada en esta dirección, o no es de tu organización.' },
      METHOD_NOT_ALLOWED: { title: 'Así no', sentence: 'Esta dirección no se usa de esta manera. No se hizo nada.' },
      FORBIDDEN: {
        title: 'No tienes permiso',
        sentence: 'Tu papel no permite esto. No se hizo nada; pide a un dueño que lo haga.',
      },
      FOREIGN_FORM: {
        title: 'Formulario de otro lugar',
        sentence: 'El formulario no vino de esta página o su sesión cambió. No se hizo nada; abre la página otra vez.',
      },
      SERVICE_UNAVAILABLE: {
        title: 'Ahora no se puede',
        sentence: 'Una parte de Cobro no responde. Prueba de nuevo en un momento.',
      },
      TOO_MANY_ATTEMPTS: {
        title: 'Demasiados intentos',
        sentence: 'Desde tu red hubo demasiados intentos. Prueba más tarde.',
      },
      VALIDATION_ERROR: { title: 'No se entiende', sentence: 'Lo que se envió no es válido. No se hizo nada.' },
    },
    other: {
      title: 'Algo falló',
      sentence: 'Falló algo de nuestro lado. Prueba de nuevo; si sigue, escríbenos con el número de abajo.',
    },
    back: 'Volver al inicio',
    code: 'Código',
    request: 'Solicitud',
  },
  en: {
    known: {
      NOT_FOUND: {
        title: 'Not there',
        sentence: 'There is nothing at this address, or it is not your organization’s.',
      },
      METHOD_NOT_ALLOWED: { title: 'Not this way', sentence: 'This address is not used this way. Nothing was done.' },
      FORBIDDEN: {
        title: 'Not allowed',
        sentence: 'Your role does not allow this. Nothing was done; ask an owner to do it.',
      },
      FOREIGN_FORM: {
        title: 'A form from elsewhere',
        sentence:
          'The form did not come from this page, or its session has changed. Nothing was done; open the page again.',
      },
      SERVICE_UNAVAILABLE: {
        title: 'Not available now',
        sentence: 'A part of Cobro does not answer. Try again in a moment.',
      },
      TOO_MANY_ATTEMPTS: {
        title: 'Too many attempts',
        sentence: 'There were too many attempts from your network. Try later.',
      },
      VALIDATION_ERROR: { title: 'Not understood', sentence: 'What was sent is not valid. Nothing was done.' },
    },
    other: {
      title: 'Something failed',
      sentence: 'Something failed on our side. Try again; if it goes on, send us the number below.',
    },
    back: 'Back to the start',
    code: 'Code',
    request: 'Request',
  },
};

/** A refusal or failure in words, with the request id to quote. */
export function problemPage(frame: Frame, view: { status: number; code: string; requestId: string }): Content {
  const said = words[frame.language];
  const { title, sentence } = said.known[view.code] ?? said.other;
  return {
    status: view.status,
    title,
    main: html`<p>${sentence}</p>
      <p class="quiet">${said.code}: <code>${view.code}</code> · ${said.request}: <code>${view.requestId}</code></p>
      <p><a href="/">${said.back}</a></p>`,
  };
}
