import { documentOf } from '@cobro/dashboard/shell/document.ts';
import type { Acting, Content, Frame } from '@cobro/dashboard/shell/frame.ts';
import { accountWords } from '@cobro/dashboard/account/words.ts';
import type { Deps } from '../deps.ts';
import type { Language } from '../people/person.row.ts';
import type { ScopeKind } from '../people/roles.rules.ts';
import type { SignedIn } from './screen.ts';
import type { Answer, Visit } from './visit.ts';

/** Draws a page in the frame of its visitor. */
export function show(
  { assets, isTestMode, clock, clockUrl }: Pick<Deps, 'assets' | 'isTestMode' | 'clock' | 'clockUrl'>,
  visit: Visit | SignedIn,
  draw: (frame: Frame) => Content,
  ...cookies: string[]
): Answer {
  const { language, address, isPost, formToken } = visit;
  const acting = 'person' in visit ? actingOf(visit) : null;
  const clockNow = clockUrl === undefined ? null : clock.now();
  const frame: Frame = { language, address, answersForm: isPost, isTest: isTestMode, clockNow, acting, formToken };
  return { ...documentOf(frame, draw(frame), assets), cookies };
}

const actingOf = ({ scope, scopeName, role, person, language, session }: SignedIn): Acting => ({
  scope: scope.kind,
  role,
  scopeName: nameOfScope(language, scope.kind, scopeName),
  personName: person.name,
  email: person.email,
  lentUntil: session.lentUntil,
});

/** The name of an organization, or a word for a scope without a name. */
export function nameOfScope(language: Language, kind: ScopeKind, organizationName: string | null): string {
  const words = accountWords[language];
  if (kind === 'platform') return words.platform;
  if (kind === 'partner') return words.partner;
  return organizationName ?? words.organization;
}
