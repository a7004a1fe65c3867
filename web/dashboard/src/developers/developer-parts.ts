import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { notice } from '../parts/notice.ts';
import { tabs } from '../parts/tabs.ts';
import type { Frame } from '../shell/frame.ts';
import { developerWords } from './developer-words.ts';

export type DeveloperProblem =
  | { kind: 'refused'; code: string; status: number; requestId: string }
  | { kind: 'lost'; requestId: string };

/** Why nothing was done, or that the outcome is unknown. */
export function problemNotice(language: Language, problem: DeveloperProblem): Html {
  const { lost, otherRefusal, refusals } = developerWords[language];
  const { requestId } = problem;
  if (problem.kind === 'lost') return notice(language, { kind: 'wait', ...lost, code: 'NO_ANSWER', requestId });
  const { code } = problem;
  const said = Object.hasOwn(refusals, code) ? (refusals[code] ?? otherRefusal) : otherRefusal;
  return notice(language, { kind: 'bad', ...said, code, requestId });
}

export const statusOf = (problem: DeveloperProblem | null): number =>
  problem === null ? 200 : problem.kind === 'lost' ? 502 : problem.status;

type Tab = 'keys' | 'events' | 'webhooks';

/** Links to the pages for developers that this person may see. */
export function developerTabs({ language, acting }: Frame, current: Tab): Html {
  const words = developerWords[language];
  const isOwner = acting?.role === 'owner';
  const all: Tab[] =
    acting?.scope === 'organization' ? [...(isOwner ? (['keys'] as const) : []), 'events', 'webhooks'] : ['keys'];
  return tabs({
    label: words.developers,
    tabs: all.map((tab) => ({ href: `/developers/${tab}`, label: words[tab], isCurrent: tab === current })),
  });
}

/** The id of a form: sending it again does nothing more. */
export const formId = (externalId: string): Html =>
  html`<input type="hidden" name="externalId" value="${externalId}" />`;
