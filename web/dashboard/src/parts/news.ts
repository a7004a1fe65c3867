import { createHash } from 'node:crypto';
import { html, type Html } from '@cobro/html/html.ts';

interface NewsView {
  /** Types of events that change the list, or the id that the page is about. */
  of: readonly string[] | { about: string };
  /** What the page shows, as texts: if they stay the same, there is no news. */
  shown: readonly string[];
  /** The address of the page itself. */
  href: string;
  one: string;
  /** With `#` in the place of the number. */
  many: string;
}

/** Says, over the page, that there is more to see. The script fills it; the list stays as it is until the person asks. */
export const newsOf = ({ of, shown, href, one, many }: NewsView): Html => {
  const about = 'about' in of ? html` data-about="${of.about}"` : null;
  const types = 'about' in of ? '' : of.join(' ');
  const version = createHash('sha256').update(shown.join(' ')).digest('hex').slice(0, 12);
  return html`<div class="news" role="status" data-news="${types}"${about} data-version="${version}" data-one="${one}" data-many="${many}">
    <a class="button" href="${href}" hidden></a>
  </div>`;
};
