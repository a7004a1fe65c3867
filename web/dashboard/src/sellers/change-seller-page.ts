import type { Branch, Salesperson } from '@cobro/contracts/salespeople.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, choice, field } from '../parts/form.ts';
import type { Content, Frame } from '../shell/frame.ts';
import {
  branchHref,
  personFields,
  problemStatus,
  sellerHref,
  sellerNotice,
  type SellerProblem,
} from './seller-parts.ts';
import { sellerWords } from './seller-words.ts';

interface Changed {
  /** What was typed into a refused form. */
  typed: { name?: string; branch?: string; status?: string };
  problem: SellerProblem | null;
}

/** GET, and refused POST /sellers/{id} */
export function changeSellerPage(
  frame: Frame,
  { seller, branches, typed, problem }: Changed & { seller: Salesperson; branches: readonly Branch[] },
): Content {
  const words = sellerWords[frame.language];
  const own = seller.businessStoreBranch;
  // The person's branch can be kept even if it is not on the first page.
  const isListed = own === null || branches.some(({ id }) => id === own.id);
  const known = isListed ? branches : [own, ...branches];
  const { name = seller.name, branch = own?.id, status = seller.status } = typed;
  const statuses = Object.entries(words.statuses);
  return page(
    frame,
    seller.name,
    { typed, problem },
    [
      ...personFields(frame, { name, branch }, { branches: known, mayBeNone: own === null }),
      choice({ name: 'status', label: words.status, value: status, options: statuses }, 'person-'),
    ],
    sellerHref(seller.id),
  );
}

/** GET, and refused POST /sellers/branches/{id} */
export function changeBranchPage(frame: Frame, { branch, typed, problem }: Changed & { branch: Branch }): Content {
  const { name: label } = sellerWords[frame.language];
  const { name = branch.name } = typed;
  return page(
    frame,
    branch.name,
    { typed, problem },
    [field(frame, { name: 'name', label, value: name, maxlength: 255 })],
    branchHref(branch.id),
  );
}

function page(frame: Frame, title: string, { problem }: Changed, fields: Html[], action: string): Content {
  const { language } = frame;
  const words = sellerWords[language];
  return {
    status: problemStatus(problem),
    title,
    section: 'sellers',
    trail: { href: '/sellers', label: words.title },
    main: html`${sellerNotice(language, problem, null)}
      <div class="panel">
        <p class="explain quiet">${words.kept}</p>
        ${actionForm(frame, { action, fields, button: words.save })}
      </div>`,
  };
}
