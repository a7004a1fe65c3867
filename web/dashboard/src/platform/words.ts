import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Organizaciones',
  why: 'De los pagos de una organización ves algo sólo mientras una persona dueña te lo presta.',
  search: 'Nombre o id',
  find: 'Buscar',
  name: 'Organización',
  people: 'Personas',
  lent: 'Vista prestada',
  action: 'Acción',
  until: (time: string) => `hasta ${time}`,
  look: 'Mirar',
  firstOwner: 'Correo de la primera persona dueña',
  invite: 'Invitar',
  noOwner: 'sin persona dueña',
  none: 'No hay organizaciones así',
  noneWhy: 'Se crean con “npm run admin -- organizations create”, y aparecen aquí unos segundos después.',
  lendTitle: 'Prestar una vista a la plataforma',
  lendWhy: 'Quien administra Cobro verá lo de esta organización, sin cambiar nada, durante unas horas.',
  hours: 'Horas',
  lend: 'Prestar',
  lentUntil: (time: string) => `Prestada hasta ${time}.`,
  endLending: 'Terminar el préstamo',
  problems: {
    email: 'No es un correo.',
    hasOwner: 'Esta organización ya tiene una persona dueña, que invita a las demás.',
  },
};
export type PlatformWords = typeof es;

const en: PlatformWords = {
  title: 'Organizations',
  why: 'You see something of an organization’s payments only while an owner lends it to you.',
  search: 'Name or id',
  find: 'Search',
  name: 'Organization',
  people: 'People',
  lent: 'Lent view',
  action: 'Action',
  until: (time) => `until ${time}`,
  look: 'Look',
  firstOwner: 'E-mail of the first owner',
  invite: 'Invite',
  noOwner: 'no owner',
  none: 'There are no such organizations',
  noneWhy: 'They are made by “npm run admin -- organizations create”, and are here some seconds later.',
  lendTitle: 'Lend the platform a view',
  lendWhy: 'Whoever runs Cobro will see this organization’s data for some hours, and change nothing.',
  hours: 'Hours',
  lend: 'Lend',
  lentUntil: (time) => `Lent until ${time}.`,
  endLending: 'End the loan',
  problems: {
    email: 'This is no e-mail.',
    hasOwner: 'This organization has an owner, who invites the others.',
  },
};
export const platformWords: { [Name in Language]: PlatformWords } = { es, en };
