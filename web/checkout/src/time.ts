import { dayInMexicoCity, mexicoCity } from '@cobro/domain/mexico-city.ts';
import type { Language } from '@cobro/html/language.ts';

const styles = { dateStyle: 'long', timeStyle: 'short', timeZone: mexicoCity } as const;
const formats: { [Name in Language]: Intl.DateTimeFormat } = {
  es: new Intl.DateTimeFormat('es-MX', styles),
  en: new Intl.DateTimeFormat('en-US', styles),
};
const places: { [Name in Language]: string } = { es: 'hora de la Ciudad de México', en: 'Mexico City time' };

/** Day and time in Mexico City, with the place named: the payer may be elsewhere. */
export const timeIn = (language: Language, time: Date): string =>
  `${formats[language].format(time)} (${places[language]})`;

/** The month in Mexico City, e.g. `2026-11`. */
export const monthOf = (time: Date): string => dayInMexicoCity(time).slice(0, 7);
