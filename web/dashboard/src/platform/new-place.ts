import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { actionForm, choice, field } from '../parts/form.ts';
import { notice, type NoticeView } from '../parts/notice.ts';
import { noticeOf } from '../payments/action-page.ts';
import { statusOf } from '../promotions/promotion-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { placeWords, type PlaceWords } from './place-words.ts';
import { platformWords } from './words.ts';

export type PlaceField = keyof PlaceWords['wrong'];

export interface NewPlaceView {
  /** The id of the form, and of what it makes: sent twice, it makes one. */
  formId: string;
  typed: { name?: string; website?: string; partner?: string };
  wrong: readonly PlaceField[];
  problem: LinkProblem | null;
}

/** A refusal as a notice, with what to do next. */
export function placeNotice(language: Language, problem: LinkProblem): NoticeView {
  const { refusals, lost } = placeWords[language];
  const view = noticeOf(language, problem);
  if (problem.kind === 'lost') return { ...view, ...lost };
  return { ...view, ...(Object.hasOwn(refusals, problem.code) ? refusals[problem.code] : {}) };
}

/** GET, and refused POST /platform/organizations/new. `partners`: null if they did not come in time. */
export function newOrganizationPage(
  frame: Frame,
  view: NewPlaceView & { partners: readonly { id: string; name: string }[] | null },
): Content {
  const { language } = frame;
  const { organization: words } = placeWords[language];
  const partners = [
    ['', words.noPartner] as const,
    ...(view.partners ?? []).map(({ id, name }) => [id, name] as const),
  ];
  const website = { name: 'website', label: words.website, type: 'url', isOptional: true, maxlength: 2_000 } as const;
  return {
    ...page(frame, view, {
      title: words.title,
      action: '/platform/organizations/new',
      fields: html`${typedField(frame, view, { name: 'name', label: words.name, hint: words.nameHint, maxlength: 255 })}
        ${typedField(frame, view, website)}
        ${choice({ name: 'partner', label: words.partner, value: view.typed.partner, options: partners })}
        ${view.partners === null && html`<p class="hint">${words.partnersMissing}</p>`}`,
      button: words.button,
      back: { href: '/platform/organizations', label: words.back },
    }),
    section: 'platform',
    trail: { href: '/platform/organizations', label: platformWords[language].title },
  };
}

/** GET, and refused POST /platform/partners/new */
export function newPartnerPage(frame: Frame, view: NewPlaceView): Content {
  const { language } = frame;
  const { partner: words } = placeWords[language];
  return {
    ...page(frame, view, {
      title: words.title,
      action: '/platform/partners/new',
      fields: typedField(frame, view, { name: 'name', label: words.name, maxlength: 255 }),
      button: words.button,
      back: { href: '/platform/partners', label: words.back },
    }),
    section: 'platformPartners',
    trail: { href: '/platform/partners', label: platformWords[language].partners.title },
  };
}

type FieldView = Parameters<typeof field>[1] & { name: PlaceField };

function typedField(frame: Frame, { typed, wrong }: NewPlaceView, view: FieldView): Html {
  const { name } = view;
  const error = wrong.includes(name) ? placeWords[frame.language].wrong[name] : undefined;
  return field(frame, { ...view, value: typed[name], error });
}

type PlaceForm = Parameters<typeof actionForm>[1] & { title: string };

function page(frame: Frame, { formId, problem, wrong }: NewPlaceView, { title, ...form }: PlaceForm): Content {
  return {
    status: problem === null && wrong.length > 0 ? 400 : statusOf(problem),
    title,
    main: html`${problem && notice(frame.language, placeNotice(frame.language, problem))}
      <div class="panel">
        ${actionForm(frame, { ...form, fields: html`<input type="hidden" name="formId" value="${formId}" />${form.fields}` })}
      </div>`,
  };
}
