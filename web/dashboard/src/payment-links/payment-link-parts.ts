import type { Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { linkWords } from '../links/link-words.ts';
import type { NoticeView } from '../parts/notice.ts';
import { badge, type Tone } from '../parts/small-parts.ts';
import { noticeOf } from '../payments/action-page.ts';
import { paymentLinkWords } from './payment-link-words.ts';

export const paymentLinkStatuses = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'SOLD_OUT'] as const;
export type PaymentLinkStatus = (typeof paymentLinkStatuses)[number];

const tones: { [Name in PaymentLinkStatus]: Tone } = {
  ACTIVE: 'good',
  INACTIVE: 'quiet',
  EXPIRED: 'quiet',
  SOLD_OUT: 'wait',
};

export const paymentLinkBadge = (language: Language, status: PaymentLinkStatus): Html =>
  badge(tones[status], paymentLinkWords[language].statuses[status]);

export const paymentLinkHref = (id: string): string => `/payment-links/${encodeURIComponent(id)}`;

/** A refusal as a notice, with what to do next. */
export function paymentLinkNotice(language: Language, problem: LinkProblem): NoticeView {
  const { refusals } = paymentLinkWords[language];
  const view = noticeOf(language, problem);
  if (problem.kind === 'lost') return { ...view, ...linkWords[language].lost };
  const said = { ...linkWords[language].refusals, ...refusals };
  return { ...view, ...(Object.hasOwn(said, problem.code) ? said[problem.code] : {}) };
}
