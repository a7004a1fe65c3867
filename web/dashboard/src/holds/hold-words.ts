import type { Language } from '@cobro/html/language.ts';

export interface HoldWords {
  title: string;
  today: string;
  tomorrow: string;
  daysLeft: (days: number) => string;
  count: (holds: string) => string;
  total: (holds: string, amount: string) => string;
  until: (time: string) => string;
  left: string;
  capture: string;
  all: (holds: string) => string;
  ofDay: (day: string) => string;
  ends: string;
  empty: { title: string; text: string };
}

export const holdWords: { [Name in Language]: HoldWords } = {
  es: {
    title: 'Retenciones',
    today: 'Hoy',
    tomorrow: 'Mañana',
    daysLeft: (days) => (days === 1 ? 'último día' : `quedan ${days} días`),
    count: (holds) => (holds === '1' ? '1 retención' : `${holds} retenciones`),
    total: (holds, amount) => `${holds} abiertas por ${amount}. Lo que no cobres a tiempo regresa al cliente.`,
    until: (time) => `hasta las ${time}`,
    left: 'Quedan',
    capture: 'Cobrar',
    all: (holds) => `Ver las ${holds}`,
    ofDay: (day) => `Retenciones que vencen el ${day}`,
    ends: 'Se puede cobrar (CDMX)',
    empty: {
      title: 'No hay retenciones abiertas',
      text: 'Una retención aparta dinero hasta siete días: se hace por la API con holdFunds. Aquí verás cuáles vencen y podrás cobrarlas.',
    },
  },
  en: {
    title: 'Holds',
    today: 'Today',
    tomorrow: 'Tomorrow',
    daysLeft: (days) => (days === 1 ? 'last day' : `${days} days left`),
    count: (holds) => (holds === '1' ? '1 hold' : `${holds} holds`),
    total: (holds, amount) => `${holds} open for ${amount}. What you do not capture in time goes back to the customer.`,
    until: (time) => `until ${time}`,
    left: 'Time left:',
    capture: 'Capture',
    all: (holds) => `See all ${holds}`,
    ofDay: (day) => `Holds that end on ${day}`,
    ends: 'Can be captured (CDMX)',
    empty: {
      title: 'No holds are open',
      text: 'A hold sets money aside for up to seven days: it is made by the API with holdFunds. Here you will see which end, and capture them.',
    },
  },
};
