import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { dayInMexicoCity, mexicoCity } from '@cobro/domain/mexico-city.ts';

const locales = { es: 'es-MX', en: 'en-US' } as const;

type Form = { [Name in Language]: Intl.DateTimeFormat };
const form = (options: Intl.DateTimeFormatOptions): Form => ({
  es: new Intl.DateTimeFormat(locales.es, { ...options, timeZone: mexicoCity }),
  en: new Intl.DateTimeFormat(locales.en, { ...options, timeZone: mexicoCity }),
});

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const clockOnly = form(clock);
const moment = form({ ...day, ...clock });
const withSeconds = form({ ...day, ...clock, second: '2-digit' });
const dayOnly = form(day);
const shortDay = form({ day: 'numeric', month: 'short' });
const monthOnly = form({ month: 'long', year: 'numeric' });
const weekday = form({ weekday: 'long', day: 'numeric', month: 'short' });

const noonOf = (dayText: string) => new Date(`${dayText}T12:00:00-06:00`);

/** Day and time in Mexico City as text: "24 nov 2026, 18:04". */
export const timeOf = (language: Language, time: Date): string => moment[language].format(time);
/** The last minute before a time, as a clock shows it: what ends at 23:00 may be done until "22:59". */
export const lastMinute = (language: Language, iso: string): string =>
  clockOnly[language].format(new Date(Date.parse(iso) - 60_000));
/** "24 nov 2026" of a day `YYYY-MM-DD`. */
export const dayOf = (language: Language, dayText: string): string => dayOnly[language].format(noonOf(dayText));
/** "24 nov", if the year is clear. */
export const shortDayOf = (language: Language, dayText: string): string => shortDay[language].format(noonOf(dayText));
/** "noviembre de 2026" of a month `YYYY-MM` */
export const monthOf = (language: Language, month: string): string => monthOnly[language].format(noonOf(`${month}-01`));
/** "martes, 24 nov" */
export const weekdayOf = (language: Language, dayText: string): string => weekday[language].format(noonOf(dayText));
/** A time in Mexico City as an element. */
export const timeElement = (language: Language, iso: string): Html =>
  html`<time datetime="${iso}">${timeOf(language, new Date(iso))}</time>`;

/** The day alone. */
export const dayElement = (language: Language, iso: string): Html =>
  html`<time datetime="${iso}">${dayOf(language, dayInMexicoCity(new Date(iso)))}</time>`;

/** The same with seconds, for timelines. */
export const exactTime = (language: Language, iso: string): Html =>
  html`<time datetime="${iso}">${withSeconds[language].format(new Date(iso))}</time>`;
