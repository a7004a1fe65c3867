import * as contracts from '@cobro/contracts/routes/platform.ts';
import { organizationBody, partnerBody } from '@cobro/contracts/platform.ts';
import { holdsCardData } from '@cobro/contracts/card-data.ts';
import {
  newOrganizationPage,
  newPartnerPage,
  type NewPlaceView,
  type PlaceField,
} from '@cobro/dashboard/platform/new-place.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { formMadeAt, newFormId } from '../http/form-id.ts';
import { problemOf, refusedAs } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { READING } from '../http/reading.ts';

type Refused = Pick<NewPlaceView, 'typed'> & Partial<NewPlaceView>;

/** GET /platform/organizations/new */
export const showNewOrganization = (deps: Deps, visit: SignedIn): Promise<Answer> =>
  drawOrganization(deps, visit, { typed: {} });

/** POST /platform/organizations/new: the form's id is the organization's, so that the same form makes one. */
export async function createOrganization(deps: Deps, visit: SignedIn): Promise<Answer> {
  const [formId, typed] = [field(visit.form, 'formId'), typedIn(visit)];
  const { name = '', website = '', partner = '' } = typed;
  if (formMadeAt(formId, deps.clock.now()) === undefined) return drawOrganization(deps, visit, tooOld(visit, typed));
  const body = {
    id: formId,
    name,
    ...(website !== '' && { websiteURL: website }),
    ...(partner !== '' && { partnerId: partner }),
  };
  const read = organizationBody.safeParse(body);
  if (!read.success) {
    const wrong: PlaceField[] = [];
    for (const { path } of read.error.issues) wrong.push(path[0] === 'websiteURL' ? 'website' : 'name');
    return drawOrganization(deps, visit, { typed, wrong });
  }
  const result = await audited(deps, visit, {
    what: 'organization.create',
    target: formId,
    send: () => visit.api.ofPeople(contracts.createPlatformOrganization, { body }),
  });
  if (result.kind === 'done') return redirect('/platform/organizations?done=created');
  return drawOrganization(deps, visit, { typed, ...keeping(formId, problemOf(visit, result)) });
}

async function drawOrganization(deps: Deps, visit: SignedIn, view: Refused): Promise<Answer> {
  const read = await visit.api.ofPeople(contracts.listPlatformPartners, {}, READING.withinMs);
  const partners = read.kind === 'done' ? read.value.items : null;
  const filled = { formId: newFormId(deps.clock.now()), wrong: [], problem: null, partners, ...view };
  return show(deps, visit, (frame) => newOrganizationPage(frame, filled));
}

/** GET /platform/partners/new */
export const showNewPartner = async (deps: Deps, visit: SignedIn): Promise<Answer> =>
  drawPartner(deps, visit, { typed: {} });

/** POST /platform/partners/new, in the same way. */
export async function createPartner(deps: Deps, visit: SignedIn): Promise<Answer> {
  const [formId, typed] = [field(visit.form, 'formId'), typedIn(visit)];
  if (formMadeAt(formId, deps.clock.now()) === undefined) return drawPartner(deps, visit, tooOld(visit, typed));
  const body = { id: formId, name: typed.name ?? '' };
  if (!partnerBody.safeParse(body).success) return drawPartner(deps, visit, { typed, wrong: ['name'] });
  const result = await audited(deps, visit, {
    what: 'partner.create',
    target: formId,
    send: () => visit.api.ofPeople(contracts.createPlatformPartner, { body }),
  });
  if (result.kind === 'done') return redirect('/platform/partners?done=created');
  return drawPartner(deps, visit, { typed, ...keeping(formId, problemOf(visit, result)) });
}

function drawPartner(deps: Deps, visit: SignedIn, view: Refused): Answer {
  const filled = { formId: newFormId(deps.clock.now()), wrong: [], problem: null, ...view };
  return show(deps, visit, (frame) => newPartnerPage(frame, filled));
}

/** What was typed, to be shown again: never what looks like a card number. */
function typedIn({ form }: SignedIn): NewPlaceView['typed'] {
  const given = ['name', 'website', 'partner'].map((name) => [name, field(form, name)] as const);
  return Object.fromEntries(given.filter(([, value]) => !holdsCardData(value)));
}

const tooOld = (visit: SignedIn, typed: NewPlaceView['typed']): Refused => ({
  typed,
  problem: refusedAs(visit, 'FORM_TOO_OLD'),
});

/** A form whose answer was lost keeps its id, so that it is not done twice. */
const keeping = (formId: string, problem: NonNullable<NewPlaceView['problem']>): Partial<NewPlaceView> =>
  problem.kind === 'lost' || problem.code !== 'EXTERNAL_ID_MISMATCH' ? { formId, problem } : { problem };
