import type { Language } from '@cobro/html/language.ts';

interface Said {
  title: string;
  sentence: string;
}

const es = {
  notBegun: {
    title: 'Esto no empezó aquí',
    sentence:
      'La vuelta de tu proveedor no corresponde a nada que este navegador haya empezado, o tardó demasiado. No se hizo nada; empieza otra vez.',
  },
  stranger: {
    title: 'No te conocemos',
    sentence:
      'Tu proveedor te identificó, pero esa identidad no está enlazada con nadie de esta organización. Abre la liga de tu invitación, o entra con tu contraseña y enlaza la cuenta en Ajustes. Un correo igual no basta.',
  },
  hasAccount: {
    title: 'Este correo ya tiene cuenta',
    sentence:
      'Entra con la contraseña de esa cuenta por la liga de la invitación, y enlaza después a tu proveedor en Ajustes.',
  },
  linkedAlready: {
    title: 'Ya está enlazada',
    sentence: 'Esa identidad ya es de otra persona, o tú ya tienes otra aquí. No se cambió nada.',
  },
  network: {
    title: 'Demasiados intentos',
    sentence: 'Desde tu red hubo demasiados intentos fallidos en una hora. No se hizo nada; prueba más tarde.',
  },
  issuer: {
    title: 'Tu proveedor no respondió bien',
    sentence:
      'No se pudo confirmar quién eres. No se hizo nada; prueba en un momento, o avisa a quien administra tu organización.',
  },
} satisfies Record<string, Said>;
export type IssuerProblem = keyof typeof es;

const en: Record<IssuerProblem, Said> = {
  notBegun: {
    title: 'This did not begin here',
    sentence:
      'What your provider sent back belongs to nothing that this browser began, or it took too long. Nothing was done; begin again.',
  },
  stranger: {
    title: 'We do not know you',
    sentence:
      'Your provider named you, but that identity is linked with nobody of this organization. Open the link of your invitation, or sign in with your password and link the account in Settings. The same e-mail is not enough.',
  },
  hasAccount: {
    title: 'This e-mail has an account',
    sentence:
      'Sign in with the password of that account by the link of the invitation, and link your provider in Settings afterwards.',
  },
  linkedAlready: {
    title: 'Linked already',
    sentence: 'That identity is another person’s, or you have another one here. Nothing was changed.',
  },
  network: {
    title: 'Too many attempts',
    sentence: 'From your network too many attempts failed within an hour. Nothing was done; try later.',
  },
  issuer: {
    title: 'Your provider did not answer well',
    sentence:
      'Who you are could not be confirmed. Nothing was done; try again in a moment, or ask whoever administers your organization.',
  },
};
export const issuerWords: { [Name in Language]: Record<IssuerProblem, Said> } = { es, en };
