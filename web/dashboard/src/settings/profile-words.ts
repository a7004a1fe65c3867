import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Tu perfil',
  email: 'Correo',
  name: 'Nombre',
  language: 'Idioma',
  spanish: 'Español',
  english: 'English',
  save: 'Guardar',
  saved: 'Tu perfil se guardó.',
  password: 'Contraseña',
  passwordWhy: 'Cambiarla termina tus sesiones en los demás dispositivos.',
  present: 'Contraseña actual',
  next: 'Contraseña nueva',
  nextHint: 'De 12 a 128 caracteres. Una frase larga es mejor que signos raros.',
  change: 'Cambiar la contraseña',
  changed: 'La contraseña cambió, y tus otras sesiones terminaron.',
  factor: 'Aplicación de códigos',
  factorWhy:
    'Si cambias de teléfono, prepara aquí la aplicación nueva. La anterior y los códigos de recuperación dejan de servir.',
  changeFactor: 'Preparar otra aplicación',
  factorChanged: 'La aplicación nueva quedó lista, y tus otras sesiones terminaron.',
  problems: {
    name: 'Escribe tu nombre, de hasta 100 caracteres y sin números de tarjeta, y elige un idioma.',
    password: 'La contraseña nueva debe tener de 12 a 128 caracteres. No se cambió nada.',
    changed: 'Tu contraseña cambió en otra parte mientras tanto. No se cambió nada.',
  },
};
export type ProfileWords = typeof es;

const en: ProfileWords = {
  title: 'Your profile',
  email: 'E-mail',
  name: 'Name',
  language: 'Language',
  spanish: 'Español',
  english: 'English',
  save: 'Save',
  saved: 'Your profile was saved.',
  password: 'Password',
  passwordWhy: 'Changing it ends your sessions on all other devices.',
  present: 'Present password',
  next: 'New password',
  nextHint: 'From 12 to 128 characters. A long phrase is better than odd signs.',
  change: 'Change the password',
  changed: 'The password has changed, and your other sessions have ended.',
  factor: 'App for codes',
  factorWhy: 'With a new phone, set up its app here. The one before and the recovery codes are good no more.',
  changeFactor: 'Set up another app',
  factorChanged: 'The new app is set up, and your other sessions have ended.',
  problems: {
    name: 'Enter your name, of up to 100 characters and without card numbers, and choose a language.',
    password: 'The new password must have from 12 to 128 characters. Nothing was changed.',
    changed: 'Your password has changed elsewhere meanwhile. Nothing was changed.',
  },
};
export const profileWords: { [Name in Language]: ProfileWords } = { es, en };
