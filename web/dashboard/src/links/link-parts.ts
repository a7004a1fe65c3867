import type { Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { noticeOf } from '../payments/action-page.ts';
import type { NoticeView } from '../parts/notice.ts';
import { badge, type Tone } from '../parts/small-parts.ts';
import { linkWords } from './link-words.ts';

export const linkStatuses = ['PENDING', 'CONFIRMED', 'CANCELLED'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

const tones: { [Name in LinkStatus]: Tone } = { PENDING: 'wait', CONFIRMED: 'good', CANCELLED: 'quiet' };

/** The link's status, or that nobody paid it in time. */
export function linkBadge(language: Language, { status, expired }: { status: LinkStatus; expired: boolean }): Html {
  const { statuses } = linkWords[language];
  if (status === 'PENDING' && expired) return badge('quiet', statuses.EXPIRED);
  return badge(tones[status], statuses[status]);
}

export const linkHref = (id: string): string => `/links/${encodeURIComponent(id)}`;

export type LinkProblem =
  | { kind: 'refused'; code: string; status: number; requestId: string }
  | { kind: 'lost'; requestId: string };

/** A refusal as a notice, with what to do next. */
export function linkNotice(language: Language, problem: LinkProblem): NoticeView {
  const { refusals, lost } = linkWords[language];
  const view = noticeOf(language, problem);
  const said = problem.kind === 'lost' ? lost : Object.hasOwn(refusals, problem.code) ? refusals[problem.code] : {};
  return { ...view, ...said };
}
