import { branchBody, salespersonBody } from '@cobro/contracts/salespeople.ts';
import type { SellerProblem } from '@cobro/dashboard/sellers/seller-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { formMadeAt } from '../http/form-id.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { sellersWith } from './sellers.ts';

const WRONG: SellerProblem = { kind: 'wrong' };

/** POST /sellers: the username is unique, so the same form sent again makes nobody else. */
export async function addSeller(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { form, api } = visit;
  const [name, username, branch] = [field(form, 'name'), field(form, 'username'), field(form, 'branch')];
  const body = { name, username, ...(branch !== '' && { businessStoreBranchId: branch }) };
  if (!salespersonBody.safeParse(body).success) return sellersWith(deps, visit, { typed: {}, problem: WRONG });
  const result = await audited(deps, visit, {
    what: 'salesperson.create',
    target: username,
    made: ({ id }) => id,
    send: () => api.salespeople.create(body, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect('/sellers?done=created');
  return sellersWith(deps, visit, { typed: { name, username, branch }, problem: problemOf(visit, result) });
}

/** POST /sellers/branches: the form's id is the externalId, so the same form makes one branch. */
export async function addBranch(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { form, api } = visit;
  const [name, formId] = [field(form, 'branchName'), field(form, 'formId')];
  const isOurs = formMadeAt(formId, deps.clock.now()) !== undefined;
  if (!isOurs || !branchBody.safeParse({ name }).success) return sellersWith(deps, visit, { problem: WRONG });
  const result = await audited(deps, visit, {
    what: 'branch.create',
    target: formId,
    made: ({ id }) => id,
    send: () => api.branches.create({ name, externalId: formId }, { attempts: 1 }).result(),
  });
  if (result.kind === 'done') return redirect('/sellers?done=created');
  const kept = result.kind === 'lost' ? { formId } : {};
  return sellersWith(deps, visit, { ...kept, typed: { branchName: name }, problem: problemOf(visit, result) });
}
