import type { Language } from '@cobro/html/language.ts';

const es = {
  signIn: (scope: string, issuer: string) =>
    `Vas a entrar a ${scope} con tu cuenta de ${issuer}. Si alguien ya entró en este navegador, su sesión termina.`,
  link: (scope: string, issuer: string) =>
    `Vas a enlazar tu cuenta de ${issuer} contigo en ${scope}. Quien entre ahí con esa cuenta entra como tú. Sigue sólo si tú lo pediste.`,
  leaving: (issuer: string) => `Sigues en ${issuer}. Si la página no cambia, usa este enlace.`,
  linked: 'Tu cuenta quedó enlazada',
  linkedWhat: (subject: string, issuer: string, scope: string) =>
    `La identidad “${subject}” de ${issuer} entra desde ahora como tú en ${scope}. Si no es tuya, avisa a quien administra el lugar.`,
  toSettings: 'Ir a Ajustes',
};
export type ToIssuerWords = typeof es;

const en: ToIssuerWords = {
  signIn: (scope, issuer) =>
    `You are about to sign in to ${scope} with your account of ${issuer}. If somebody has signed in in this browser, that session ends.`,
  link: (scope, issuer) =>
    `You are about to link your account of ${issuer} with yourself in ${scope}. Whoever signs in there with that account comes in as you. Go on only if you asked for it.`,
  leaving: (issuer) => `You go on at ${issuer}. If the page does not change, use this link.`,
  linked: 'Your account is linked',
  linkedWhat: (subject, issuer, scope) =>
    `From now on the identity “${subject}” of ${issuer} comes in as you in ${scope}. If it is not yours, say so to whoever administers the place.`,
  toSettings: 'Go to Settings',
};
export const toIssuerWords: { [Name in Language]: ToIssuerWords } = { es, en };
