import { type FeeChange, feeToRemove } from '@cobro/contracts/fee-channels.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import * as contracts from '@cobro/contracts/routes/fee-channels.ts';
import {
  feesHref,
  feesOfOrganizationPage,
  type FeesOfOrganizationView,
} from '@cobro/dashboard/platform/fees-of-organization.ts';
import type { z } from 'zod';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { idIn, READING } from '../http/reading.ts';
import { findOrganizationName } from '../people/organization.store.ts';
import { readFeesForm, typedIn } from './fees-form.rules.ts';

/** GET /platform/organizations/{id}/fees */
export const showFeesOf = async (deps: Deps, visit: SignedIn): Promise<Answer> => {
  const organization = await organizationIn(deps, visit);
  return draw(deps, visit, { organization, isDone: visit.query.get('done') === 'fees' });
};

/** POST /platform/organizations/{id}/fees: repeated, it does nothing more. */
export async function setFeesOf(deps: Deps, visit: SignedIn): Promise<Answer> {
  const organization = await organizationIn(deps, visit);
  const entered = typedIn(visit.form);
  const read = readFeesForm(visit.form);
  if (read.kind === 'wrong') return draw(deps, visit, { organization, ...entered, wrong: read.wrong });
  const result = await audited(deps, visit, {
    what: 'fees.set',
    target: organization.id,
    fees: {
      asked: read.items.map(({ type, terms, network, fundingSource, ...rates }) =>
        changeTo(rates, { type, terms, network, fundingSource }),
      ),
      changed: ({ changed }) => changed,
    },
    send: () =>
      visit.api.ofPeople(contracts.setFeesOf, {
        params: { organizationId: organization.id },
        body: { items: read.items },
      }),
  });
  if (result.kind === 'done') return redirect(`${feesHref(organization.id)}?done=fees`);
  return draw(deps, visit, { organization, ...entered, problem: problemOf(visit, result) });
}

/** POST /platform/organizations/{id}/fees/remove: in the same way. */
export async function removeFeeOf(deps: Deps, visit: SignedIn): Promise<Answer> {
  const organization = await organizationIn(deps, visit);
  const { form } = visit;
  const [network, fundingSource] = [field(form, 'network'), field(form, 'fundingSource')];
  const { success, data: body } = feeToRemove.safeParse({
    type: field(form, 'type'),
    ...(network !== '' && { network }),
    ...(fundingSource !== '' && { fundingSource }),
    terms: Number(field(form, 'terms')),
  });
  if (!success) throw new Refusal('VALIDATION_ERROR');
  const result = await audited(deps, visit, {
    what: 'fees.remove',
    target: organization.id,
    fees: { asked: [changeTo(null, body)], changed: ({ changed }) => changed },
    send: () => visit.api.ofPeople(contracts.removeFeeOf, { params: { organizationId: organization.id }, body }),
  });
  if (result.kind === 'done') return redirect(`${feesHref(organization.id)}?done=fees`);
  return draw(deps, visit, { organization, problem: problemOf(visit, result) });
}

/** The change as it is asked for. Only payments knows the rates before. */
const changeTo = (
  after: FeeChange['after'],
  { type, network, fundingSource, terms }: z.output<typeof feeToRemove>,
): FeeChange => ({
  type,
  network: network ?? null,
  fundingSource: fundingSource ?? null,
  terms,
  before: null,
  after,
});

/** @throws Refusal 404 if the dashboard does not know it */
async function organizationIn({ db }: Deps, visit: SignedIn): Promise<{ id: string; name: string }> {
  const id = idIn(visit);
  const name = await findOrganizationName(db, id);
  if (name === undefined) throw new Refusal('NOT_FOUND');
  return { id, name };
}

async function draw(
  deps: Deps,
  visit: SignedIn,
  view: Partial<FeesOfOrganizationView> & Pick<FeesOfOrganizationView, 'organization'>,
): Promise<Answer> {
  const params = { organizationId: view.organization.id };
  const read = await visit.api.ofPeople(contracts.listFeesOf, { params }, READING.withinMs);
  const rows = read.kind === 'done' ? read.value.items : null;
  const empty = { typed: {}, chosen: { types: [], terms: [] }, wrong: [], problem: null, isDone: false };
  // A refused form may have been sent to an address without a page.
  const at = { ...visit, address: feesHref(view.organization.id) };
  return show(deps, at, (frame) => feesOfOrganizationPage(frame, { rows, ...empty, ...view }));
}
