import type { Language } from '@cobro/html/language.ts';
import { en } from './messages-en.ts';
import { es } from './messages-es.ts';
import type { Messages } from './messages.ts';

export const messagesIn: { [Name in Language]: Messages } = { es, en };
