import { type Html, html } from '@cobro/html/html.ts';
import { code } from './route-section.ts';

/** A guide as HTML. Reads only the Markdown that guides use. */
export function guideContent(markdown: string): Html {
  const blocks = [...markdown.matchAll(/^```(\w*)\n(.*?)^```$|^(?!```)(?:(?!^```|\n\n).)+/gms)];
  return html`${blocks.map(([whole, language, text]) => (text === undefined ? prose(whole.trim()) : code(nameOf(language), text.trimEnd())))}`;
}

const nameOf = (language = '') => ({ sh: 'In the shell', js: 'JavaScript' })[language] ?? 'Shell';

function prose(text: string): Html {
  const [, marks, title = ''] = /^(#+) (.*)$/s.exec(text.split('\n', 1)[0] ?? '') ?? [];
  if (marks !== undefined) {
    const rest = text.split('\n').slice(1).join('\n').trim();
    const heading =
      marks === '#' ? html`<h1>${inline(title)}</h1>` : html`<h2 id="${anchorOf(title)}">${inline(title)}</h2>`;
    return html`${heading}${rest !== '' && prose(rest)}`;
  }
  if (text.startsWith('|')) return table(text.split('\n'));
  if (/^(?:- |1\. )/.test(text)) {
    const items = text
      .split(/\n(?=- |\d+\. )/)
      .map((item) => html`<li>${inline(item.replace(/^(?:- |\d+\. )/, ''))}</li>`);
    return text.startsWith('-') ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`;
  }
  return html`<p>${inline(text)}</p>`;
}

const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

function table([head = '', , ...rows]: string[]): Html {
  return html`<div class="scrolls" tabindex="0"><table>
    <thead><tr>${cellsOf(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w ]/g, '')
    .replaceAll(' ', '-');

/** Code, links and bold text. A link to a page that is not here becomes plain words. */
function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[(?:[^\]]+)\]\([^)]+\))/);
  return html`${parts.map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    const [, words = '', to = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    if (words === '') return part;
    const address = addressOf(to);
    return address === undefined ? inline(words) : html`<a href="${address}">${inline(words)}</a>`;
  })}`;
}

function addressOf(to: string): string | undefined {
  if (to.startsWith('https://')) return to;
  if (to.endsWith('generated/errors.md')) return 'errors.html';
  const [, file, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(to) ?? [];
  return file === undefined ? undefined : `${guideFile(`${file}.md`)}${anchor}`;
}

export const guideFile = (file: string): string => `guide-${file.replace(/\.md$/, '.html')}`;
