import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Reloj de la demostración',
  times: 'La hora',
  now: 'En Cobro',
  realNow: 'En el mundo real',
  move: 'Mover el reloj',
  explain:
    'Se mueve en todas las partes de Cobro a la vez. Volver no deshace lo que ya pasó. Tu sesión va con la hora real.',
  moves: {
    day: { label: '+1 día', why: 'Mira cómo las retenciones se acercan a su fin.' },
    '2259': { label: 'A las 22:59', why: 'Las que vencen ese día todavía se pueden cobrar, un minuto más.' },
    '2301': { label: 'A las 23:01', why: 'Ya no: se liberan solas.' },
    back: { label: 'A la hora real', why: 'Lo que venció sigue vencido.' },
  },
  unavailable: {
    title: 'El reloj no contestó',
    text: 'Tal vez no se movió. Vuelve a cargar la página y mira la hora.',
  },
};

const en: typeof es = {
  title: 'Clock of the demo',
  times: 'The time',
  now: 'In Cobro',
  realNow: 'In the real world',
  move: 'Move the clock',
  explain:
    'It moves in all parts of Cobro at once. Going back undoes nothing that has happened. Your session goes by real time.',
  moves: {
    day: { label: '+1 day', why: 'See how holds come closer to their end.' },
    '2259': { label: 'To 22:59', why: 'Those that end that day can still be captured, for one minute.' },
    '2301': { label: 'To 23:01', why: 'No longer: they are released by themselves.' },
    back: { label: 'Back to real time', why: 'What has expired stays expired.' },
  },
  unavailable: {
    title: 'The clock did not answer',
    text: 'It may not have moved. Load the page again and look at the time.',
  },
};

export const clockWords: { [Name in Language]: typeof es } = { es, en };
