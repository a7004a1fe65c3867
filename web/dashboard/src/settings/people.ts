import { html, type Html } from '@cobro/html/html.ts';
import { notice, postForm } from '../account/form.ts';
import { actionForm, choice, field } from '../parts/form.ts';
import { badge, copyable, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import type { Content, Frame, Role } from '../shell/frame.ts';
import { shellWords } from '../shell/words.ts';
import { lending } from '../platform/organizations.ts';
import { settingsLinks } from './links.ts';
import { settingsWords } from './words.ts';

export interface PeopleView {
  roles: readonly Role[];
  members: readonly {
    id: string;
    name: string;
    email: string;
    role: Role;
    isSelf: boolean;
    invitedBy: string | null;
  }[];
  invitations: readonly { id: string; email: string; role: Role | null; expiresAt: Date }[];
  /** Until when the platform may look at an organization. */
  lentUntil: Date | null;
  problem?: string | undefined;
  status?: number;
}

export function peoplePage(frame: Frame, view: PeopleView): Content {
  const words = settingsWords[frame.language];
  const { roles } = shellWords[frame.language];
  const fields = [
    field(frame, { name: 'email', label: words.email, type: 'email', maxlength: 254 }),
    roleChoice(frame, view.roles, undefined, 'new-'),
  ];
  return {
    status: view.status ?? 200,
    title: words.people,
    section: 'settings',
    main: html`${settingsLinks(frame)}${notice(view.problem)}
      <ul class="entries">
        ${view.members.map((one) => member(frame, view.roles, one))}
      </ul>
      <h2>${words.invite}</h2>
      <p class="quiet">${words.inviteWhy}</p>
      ${actionForm(frame, { action: '/settings/people/invite', fields, button: words.invite })}
      <h2>${words.invitations}</h2>
      ${
        view.invitations.length === 0
          ? html`<p class="quiet">${words.noInvitations}</p>`
          : html`<ul class="entries">${view.invitations.map((one) => invitation(frame, roles, one))}</ul>`
      }
      ${frame.acting?.scope === 'organization' && lending(frame, view.lentUntil)}`,
  };
}

function roleChoice({ language }: Frame, all: readonly Role[], value: Role | undefined, prefix: string): Html {
  const options = all.map((role) => [role, shellWords[language].roles[role]] as const);
  return choice({ name: 'role', label: settingsWords[language].role, value, options }, prefix);
}

/** A person's actions are folded behind one word, so that the list stays short. */
function member(frame: Frame, all: readonly Role[], one: PeopleView['members'][number]): Html {
  const { id, name, email, role, isSelf, invitedBy } = one;
  const words = settingsWords[frame.language];
  const change = html`${roleChoice(frame, all, role, `${id}-`)}<button class="button second">${words.change}</button>`;
  return html`<li>
    <div class="what">
      <p><strong>${written(name)}</strong> ${badge('quiet', shellWords[frame.language].roles[role])} ${isSelf && html`(${words.you})`}</p>
      <p class="quiet">${written(email)}</p>
      ${invitedBy !== null && html`<p class="quiet">${words.invitedBy} ${written(invitedBy)}</p>`}
    </div>
    ${
      !isSelf &&
      html`<details class="manage">
        <summary>${words.manage}<span class="unseen"> ${written(name)}</span></summary>
        ${postForm(frame, `/settings/people/${id}/role`, change)}
        ${postForm(frame, `/settings/people/${id}/reset`, html`<button class="button second">${words.reset}</button>`)}
        ${postForm(frame, `/settings/people/${id}/remove`, html`<button class="button danger">${words.remove}</button>`)}
      </details>`
    }
  </li>`;
}

function invitation(
  frame: Frame,
  roles: { [Name in Role]: string },
  { id, email, role, expiresAt }: PeopleView['invitations'][number],
): Html {
  const words = settingsWords[frame.language];
  return html`<li>
    <div class="what">
      <p><strong>${written(email)}</strong> ${role && badge('quiet', roles[role])}</p>
      <p class="quiet">${words.expires}: ${timeElement(frame.language, expiresAt.toISOString())}</p>
    </div>
    ${postForm(frame, `/settings/invitations/${id}/withdraw`, html`<button class="button second">${words.withdraw}</button>`)}
  </li>`;
}

/** A link that was made, shown once. */
export function linkPage(frame: Frame, { email, link }: { email: string; link: string }): Content {
  const words = settingsWords[frame.language];
  return {
    status: 200,
    title: words.link,
    section: 'settings',
    main: html`<p>${words.inviteWhy}</p>
      <div class="panel">
        <p><strong>${written(email)}</strong></p>
        <p>${copyable(frame.language, link)}</p>
      </div>
      <p class="actions"><a class="button second" href="/settings/people">${words.back}</a></p>`,
  };
}
