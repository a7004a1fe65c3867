import { html, type Html } from '@cobro/html/html.ts';

interface TabsView {
  /** What is chosen among, for who hears the page. */
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
