import { mexicoCity } from '@cobro/domain/mexico-city.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';

const form = (locale: string) =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: mexicoCity,
  });
const moment = { es: form('es-MX'), en: form('en-US') };

/** Day and time in Mexico City as text: "24 nov 2026, 18:04". */
export const timeOf = (language: Language, time: Date): string => moment[language].format(time);

/** A time in Mexico City as an element. */
export const timeElement = (language: Language, iso: string): Html =>
  html`<time datetime="${iso}">${timeOf(language, new Date(iso))}</time>`;
