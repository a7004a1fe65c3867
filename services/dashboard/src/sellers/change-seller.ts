import type { Result } from '@cobro/client/refusal.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { branchChange, salespersonChange } from '@cobro/contracts/salespeople.ts';
import { changeBranchPage, changeSellerPage } from '@cobro/dashboard/sellers/change-seller-page.ts';
import type { SellerProblem } from '@cobro/dashboard/sellers/seller-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { idIn, orNotFound, READING } from '../http/reading.ts';
import { readStaff } from './sellers.ts';

type Typed = Record<'name' | 'branch' | 'status', string>;

/** GET /sellers/{id} */
export const showSeller = (deps: Deps, visit: SignedIn): Promise<Answer> => sellerWith(deps, visit);

/** POST /sellers/{id} */
export async function changeSeller(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { form, api } = visit;
  const typed = { name: field(form, 'name'), branch: field(form, 'branch'), status: field(form, 'status') };
  const { name, branch, status } = typed;
  const read = salespersonChange.safeParse({ name, status, ...(branch !== '' && { businessStoreBranchId: branch }) });
  if (!read.success) return sellerWith(deps, visit, { typed: {}, problem: { kind: 'wrong' } });
  const id = idIn(visit);
  const result = await audited(deps, visit, {
    what: 'salesperson.change',
    target: id,
    send: () => api.salespeople.change(id, read.data, { attempts: 1 }).result(),
  });
  return afterwards(visit, result, (problem) => sellerWith(deps, visit, { typed, problem }));
}

/** GET /sellers/branches/{id} */
export const showBranch = (deps: Deps, visit: SignedIn): Promise<Answer> => branchWith(deps, visit);

/** POST /sellers/branches/{id} */
export async function changeBranch(deps: Deps, visit: SignedIn): Promise<Answer> {
  const name = field(visit.form, 'name');
  const read = branchChange.safeParse({ name });
  if (!read.success) return branchWith(deps, visit, { typed: {}, problem: { kind: 'wrong' } });
  const id = idIn(visit);
  const result = await audited(deps, visit, {
    what: 'branch.change',
    target: id,
    send: () => visit.api.branches.change(id, read.data, { attempts: 1 }).result(),
  });
  return afterwards(visit, result, (problem) => branchWith(deps, visit, { typed: { name }, problem }));
}

interface Refused {
  typed: Partial<Typed>;
  problem: SellerProblem | null;
}

function afterwards(
  visit: SignedIn,
  result: Result<unknown>,
  refused: (problem: SellerProblem) => Promise<Answer>,
): Answer | Promise<Answer> {
  if (result.kind === 'done') return redirect('/sellers?done=changed');
  if (result.kind === 'refused' && result.refusal.status === 404) throw new Refusal('NOT_FOUND');
  return refused(problemOf(visit, result));
}

async function sellerWith(deps: Deps, visit: SignedIn, refused: Refused = { typed: {}, problem: null }) {
  const [seller, { branches }] = await Promise.all([
    orNotFound(visit.api.salespeople.get(idIn(visit), READING)),
    readStaff(visit),
  ]);
  const view = { seller, branches: branches?.rows ?? [], ...refused };
  return show(deps, visit, (frame) => changeSellerPage(frame, view));
}

async function branchWith(deps: Deps, visit: SignedIn, refused: Refused = { typed: {}, problem: null }) {
  const branch = await orNotFound(visit.api.branches.get(idIn(visit), READING));
  return show(deps, visit, (frame) => changeBranchPage(frame, { branch, ...refused }));
}
