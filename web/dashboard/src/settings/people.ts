import { html, type Html } from '@cobro/html/html.ts';
import { notice, postForm, textField } from '../account/form.ts';
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
  /** Of an organization: until when the platform may look at it. */
  lentUntil: Date | null;
  problem?: string | undefined;
  status?: number;
}

export function peoplePage(frame: Frame, view: PeopleView): Content {
  const words = settingsWords[frame.language];
  const { roles } = shellWords[frame.language];
  const roleChoice = (id: string, selected?: Role) => html`<label for="${id}">${words.role}</label>
    <select id="${id}" name="role">
      ${view.roles.map((role) => html`<option value="${role}"${role === selected && html` selected`}>${roles[role]}</option>`)}
    </select>`;
  const member = ({ id, name, email, role, isSelf, invitedBy }: PeopleView['members'][number]) => html`<li>
    <p><bdi translate="no">${name}</bdi>, <bdi translate="no">${email}</bdi>, ${roles[role]} ${isSelf && html`(${words.you})`}
      ${invitedBy !== null && html`<span class="quiet">${words.invitedBy}: <bdi translate="no">${invitedBy}</bdi></span>`}</p>
    ${
      !isSelf &&
      html`${postForm(frame, `/settings/people/${id}/role`, html`${roleChoice(`role-${id}`, role)}<button class="button second">${words.change}</button>`)}
    ${postForm(frame, `/settings/people/${id}/reset`, html`<button class="button second">${words.reset}</button>`)}
    ${postForm(frame, `/settings/people/${id}/remove`, html`<button class="button danger">${words.remove}</button>`)}`
    }
  </li>`;
  return {
    status: view.status ?? 200,
    title: words.people,
    section: 'settings',
    main: html`${settingsLinks(frame)}${notice(view.problem)}
      <ul class="people">
        ${view.members.map(member)}
      </ul>
      <h2>${words.invite}</h2>
      <p>${words.inviteWhy}</p>
      ${postForm(
        frame,
        '/settings/people/invite',
        html`${textField({ name: 'email', label: words.email, type: 'email' })}${roleChoice('role-new')}
          <button class="button">${words.invite}</button>`,
      )}
      <h2>${words.invitations}</h2>
      ${view.invitations.length === 0 ? html`<p>${words.noInvitations}</p>` : html`<ul>${view.invitations.map((one) => invitation(frame, one))}</ul>`}
      ${frame.acting?.scope === 'organization' && lending(frame, view.lentUntil)}`,
  };
}

function invitation(frame: Frame, { id, email, role, expiresAt }: PeopleView['invitations'][number]): Html {
  const words = settingsWords[frame.language];
  return html`<li>
    <bdi translate="no">${email}</bdi>, ${role && shellWords[frame.language].roles[role]},
    ${words.expires}: ${timeElement(frame.language, expiresAt.toISOString())}
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
      <p><bdi translate="no">${email}</bdi></p>
      <p><code class="link-once" data-copy translate="no">${link}</code></p>
      <p><a href="/settings/people">${words.back}</a></p>`,
  };
}
