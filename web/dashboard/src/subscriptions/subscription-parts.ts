import type { PeriodStatus, SubscriptionStatus } from '@cobro/contracts/subscriptions.ts';
import type { Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import type { NoticeView } from '../parts/notice.ts';
import { badge, type Tone } from '../parts/small-parts.ts';
import { noticeOf } from '../payments/action-page.ts';
import { subscriptionFormWords } from './subscription-form-words.ts';
import { subscriptionWords } from './subscription-words.ts';

const tones: { [Name in SubscriptionStatus]: Tone } = {
  PENDING: 'wait',
  ACTIVE: 'good',
  PAST_DUE: 'bad',
  PAUSED: 'wait',
  CANCELLED: 'quiet',
  COMPLETED: 'quiet',
};
const periodTones: { [Name in PeriodStatus]: Tone } = { OPEN: 'wait', PAID: 'good', FAILED: 'bad', SKIPPED: 'quiet' };

export const subscriptionBadge = (language: Language, status: SubscriptionStatus): Html =>
  badge(tones[status], subscriptionWords[language].statuses[status]);

export const periodBadge = (language: Language, status: PeriodStatus): Html =>
  badge(periodTones[status], subscriptionWords[language].periodStatuses[status]);

export const SUBSCRIPTIONS = '/subscriptions';
export const subscriptionHref = (id: string): string => `${SUBSCRIPTIONS}/${encodeURIComponent(id)}`;

export type SubscriptionProblem = LinkProblem;

/** A refusal as a notice, with what to do next. */
export function subscriptionNotice(language: Language, problem: SubscriptionProblem): NoticeView {
  const { refusals, lost } = subscriptionFormWords[language];
  const view = noticeOf(language, problem);
  if (problem.kind === 'lost') return { ...view, ...lost };
  return { ...view, ...(Object.hasOwn(refusals, problem.code) ? refusals[problem.code] : {}) };
}

export const statusOf = (problem: SubscriptionProblem | null): number =>
  problem === null ? 200 : problem.kind === 'lost' ? 502 : problem.status;
