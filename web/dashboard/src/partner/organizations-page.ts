import { html } from '@cobro/html/html.ts';
import { pager } from '../parts/pager.ts';
import { empty, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { partnerPaymentsHref } from './partner-payments-page.ts';
import { partnerWords } from './partner-words.ts';

export interface OrganizationsView {
  organizations: readonly { id: string; name: string }[];
  offset: number;
  hasMore: boolean;
}

const hrefAt = (offset: number) => `/partner/organizations${offset === 0 ? '' : `?offset=${offset}`}`;

/** GET /partner/organizations */
export function organizationsPage({ language }: Frame, { organizations, offset, hasMore }: OrganizationsView): Content {
  const words = partnerWords[language];
  return {
    status: 200,
    title: words.organizations,
    section: 'organizations',
    main:
      organizations.length === 0
        ? empty(words.noOrganizations)
        : html`${table({
            caption: words.organizations,
            columns: [{ label: words.columns.organization, kind: 'main' }, { label: words.payments }],
            rows: organizations.map(({ id, name }) => [
              written(name),
              html`<a href="${partnerPaymentsHref({ organizationId: id })}">${words.openPayments}</a>`,
            ]),
          })}
          ${pager(language, {
            next: hasMore ? hrefAt(offset + organizations.length) : null,
            first: offset === 0 ? null : hrefAt(0),
          })}`,
  };
}
