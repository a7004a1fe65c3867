import type { OrganizationProfile } from '@cobro/contracts/organizations.ts';
import { html } from '@cobro/html/html.ts';
import { actionForm, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { facts, unavailable, written } from '../parts/small-parts.ts';
import { noticeOf } from '../payments/action-page.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { settingsLinks } from './links.ts';
import { organizationWords } from './organization-words.ts';

export const profileFields = ['name', 'websiteURL', 'supportEmail', 'supportPhoneNumber'] as const;
type ProfileField = (typeof profileFields)[number];

export interface OrganizationView {
  /** Null if it did not come in time. */
  profile: OrganizationProfile | null;
  /** What was typed into a refused form. */
  typed: Partial<Record<ProfileField, string>>;
  isDone: boolean;
  problem:
    | null
    | { kind: 'wrong' }
    | { kind: 'refused'; code: string; status: number; requestId: string }
    | { kind: 'lost'; requestId: string };
}

/** GET, and refused POST /settings/organization */
export function organizationPage(frame: Frame, { profile, typed, isDone, problem }: OrganizationView): Content {
  const { language } = frame;
  const words = organizationWords[language];
  const said =
    problem && (problem.kind === 'wrong' ? { kind: 'bad' as const, ...words.wrong } : noticeOf(language, problem));
  const refusedStatus = problem?.kind === 'refused' ? problem.status : problem?.kind === 'lost' ? 502 : 400;
  const valueOf = (name: ProfileField) =>
    typed[name] ?? (name === 'name' ? profile?.name : (profile?.business[name] ?? undefined));
  return {
    status: problem === null ? 200 : refusedStatus,
    title: words.title,
    section: 'settings',
    main: html`${settingsLinks(frame)} ${said && notice(language, said)}
      ${isDone && notice(language, { kind: 'good', title: words.saved })}
      ${
        profile === null
          ? unavailable(language)
          : html`<p class="explain quiet">${words.explain}</p>
              ${profile.partner && facts([[words.partner, written(profile.partner.name)]])}
              ${actionForm(frame, {
                action: '/settings/organization',
                fields: profileFields.map((name) =>
                  field(frame, {
                    name,
                    label: words[name],
                    value: valueOf(name),
                    isOptional: name !== 'name',
                    hint: name === 'websiteURL' ? words.keepsHint : undefined,
                    maxlength: name === 'websiteURL' ? 2048 : name === 'supportPhoneNumber' ? 50 : 255,
                  }),
                ),
                button: words.save,
              })}`
      }`,
  };
}
