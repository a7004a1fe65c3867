import type { ApiKey } from '@cobro/contracts/api-keys.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { notice } from '../parts/notice.ts';
import { pager } from '../parts/pager.ts';
import { badge, button, code, empty, over, type Tone, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { timeElement, timeOf } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { developerTabs } from './developer-parts.ts';
import { developerWords } from './developer-words.ts';
import { type KeyWords, keyWords } from './key-words.ts';

export const keyActions = ['roll', 'revoke', 'delete'] as const;
export type KeyAction = (typeof keyActions)[number];

export interface KeysView {
  found: { kind: 'rows'; rows: readonly ApiKey[]; next: string | null; first: string | null } | { kind: 'unavailable' };
  /** Names of the people who made keys, by id. */
  names: Readonly<Record<string, string>>;
  /** What was just done. */
  done: 'revoke' | 'delete' | null;
}

const KEYS = '/developers/keys';
export const keyHref = (id: string, action: KeyAction): string => `${KEYS}/${encodeURIComponent(id)}/${action}`;

/** GET /developers/keys */
export function keysPage(frame: Frame, { found, names, done }: KeysView): Content {
  const { language } = frame;
  const words = keyWords[language];
  const create = button(`${KEYS}/new`, words.create);
  return {
    status: 200,
    title: developerWords[language].developers,
    section: 'developers',
    action: create,
    main: html`${developerTabs(frame, 'keys')}
      ${done && notice(language, { kind: 'good', title: words[done].done })}
      <p class="explain">${words.intro}</p>
      ${found.kind === 'unavailable' ? unavailable(language) : rowsOrEmpty(language, found, names)}`,
  };
}

function rowsOrEmpty(
  language: Language,
  { rows, next, first }: KeysView['found'] & { kind: 'rows' },
  names: KeysView['names'],
): Html {
  const words = keyWords[language];
  if (rows.length === 0 && first === null) {
    return empty({ ...words.empty, action: button(`${KEYS}/new`, words.create) });
  }
  const { name, key, status, created, lastUsed, actions } = words;
  const columns = [
    { label: name, kind: 'main' as const },
    { label: key },
    { label: status, kind: 'status' as const },
    { label: created },
    { label: lastUsed },
    { label: actions },
  ];
  return html`${table({
    caption: developerWords[language].keys,
    columns,
    rows: rows.map((row) => rowOf(language, row, names)),
  })}
  ${pager(language, { next, first })}`;
}

const tones: { [Name in ApiKey['status']]: Tone } = { ACTIVE: 'good', ENDING: 'wait', REVOKED: 'quiet' };

export const keyStatus = (language: Language, { status, endsAt }: ApiKey): Html => {
  const words = keyWords[language];
  return html`<span class="row-actions">${badge(tones[status], words.statuses[status])}
    ${status === 'ENDING' && endsAt !== null && html`<span class="small quiet">${words.until(timeOf(language, new Date(endsAt)))}</span>`}</span>`;
};

export const keyName = (words: KeyWords, name: string | null): Html =>
  name === null ? html`<span class="quiet">${words.unnamed}</span>` : written(name);

/** "···· a1B2" */
export const keyEnding = ({ lastFour }: Pick<ApiKey, 'lastFour'>): Html =>
  html`<span class="number">···· ${code(lastFour)}</span>`;

export const lastUse = (language: Language, { lastUsedAt }: ApiKey): Html | string =>
  lastUsedAt === null ? keyWords[language].never : timeElement(language, lastUsedAt);

function rowOf(language: Language, row: ApiKey, names: KeysView['names']) {
  const words = keyWords[language];
  const { id, name, createdBy, createdAt, status } = row;
  const may: readonly KeyAction[] =
    status === 'ACTIVE' ? keyActions : status === 'ENDING' ? ['revoke', 'delete'] : ['delete'];
  const link = (action: KeyAction) =>
    html`<a href="${keyHref(id, action)}">${words[action].link}<span class="unseen"> ${name ?? row.lastFour}</span></a>`;
  const by = createdBy === null ? words.operator : written(names[createdBy] ?? '–');
  return [
    keyName(words, name),
    keyEnding(row),
    keyStatus(language, row),
    over(timeElement(language, createdAt), html`${words.by} ${by}`),
    lastUse(language, row),
    html`<span class="row-actions whole">${may.map(link)}</span>`,
  ];
}
