import { html, type Html } from '@cobro/html/html.ts';

interface TabsView {
  /** The name of the choice, for screen readers. */
  label: string;
  tabs: readonly { href: string; label: string; isCurrent: boolean }[];
}

/** A choice of one list among several, each at an address of its own. */
export const tabs = ({ label, tabs: all }: TabsView): Html =>
  html`<nav class="tabs" aria-label="${label}">
    <ul>
      ${all.map(
        (tab) => html`<li><a href="${tab.href}"${tab.isCurrent && html` aria-current="page"`}>${tab.label}</a></li>`,
      )}
    </ul>
  </nav>`;

/** The address of a list's page with one status; null for all. */
export function statusHref(path: string, status: string | null, page = 1): string {
  const query = new URLSearchParams({ ...(status !== null && { status }), ...(page > 1 && { page: String(page) }) });
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

interface StatusTabs<S extends string> {
  path: string;
  current: S | null;
  statuses: readonly S[];
  words: { filter: string; filters: Record<S | 'ALL', string> };
}

/** All, and each status by itself. */
export const statusTabs = <S extends string>({ path, current, statuses, words }: StatusTabs<S>): Html =>
  tabs({
    label: words.filter,
    tabs: [null, ...statuses].map((status) => ({
      href: statusHref(path, status),
      label: words.filters[status ?? 'ALL'],
      isCurrent: status === current,
    })),
  });
