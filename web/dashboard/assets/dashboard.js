// @ts-check
// Copies texts, opens dialogs, and updates parts of pages when something happens. If the browser runs no scripts, only the updates
// are missing.

/** @param {string} selector @param {ParentNode} within @returns {HTMLElement[]} */
const all = (selector, within = document) =>
  [...within.querySelectorAll(selector)].filter((e) => e instanceof HTMLElement);

/** @param {ParentNode} within */
function prepare(within) {
  for (const button of all('[data-copy], [data-print]', within)) button.hidden = false;
  for (const hint of all('[data-without-script]', within)) hint.hidden = true;
}
prepare(document);

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const copy = target?.closest('[data-copy]');
  if (copy instanceof HTMLElement) void copyTextOf(copy);
  if (target?.closest('[data-print]')) print();
  const opener = target?.closest('[data-opens]');
  if (opener instanceof HTMLElement) open(event, opener);
  const closer = target?.closest('[data-close]');
  const dialog = closer?.closest('dialog');
  if (dialog) {
    event.preventDefault();
    dialog.close();
  }
});

/** @param {HTMLElement} button */
async function copyTextOf(button) {
  const before = button.textContent;
  await navigator.clipboard.writeText(button.dataset['copy'] ?? '');
  button.textContent = button.dataset['copied'] ?? '';
  setTimeout(() => (button.textContent = before), 1500);
}

/** @param {MouseEvent} event @param {HTMLElement} opener */
function open(event, opener) {
  const dialog = document.getElementById(opener.dataset['opens'] ?? '');
  const asksForTab = event.ctrlKey || event.metaKey || event.shiftKey;
  if (!(dialog instanceof HTMLDialogElement) || asksForTab) return;
  event.preventDefault();
  dialog.showModal();
}

// Sends a form once. The service would make one operation of two copies, too.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !('once' in form.dataset)) return;
  if (form.dataset['once'] === 'sent') return event.preventDefault();
  form.dataset['once'] = 'sent';
  for (const button of form.querySelectorAll('button')) {
    button.setAttribute('aria-disabled', 'true');
    button.classList.add('sent');
  }
});

// If "back" shows a page that the browser kept, its forms may be sent again.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of all('[data-once=sent]')) form.dataset['once'] = '';
});

// Shows the time left of the hold that ends next. The page says how long, because business time may differ from the browser's.
const openedAt = performance.now();
setInterval(() => {
  for (const shown of all('[data-counts-down]')) {
    const leftMs = Number(shown.dataset['countsDown']) - (performance.now() - openedAt);
    if (leftMs <= 0) return location.reload();
    const minutes = Math.floor(leftMs / 60_000);
    shown.textContent = `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  }
}, 5_000);

/**
 * Reads a page of ours. `X-Poll` says that no person asks, so the request keeps no session alive.
 * @param {string} address @param {(page: Document) => void} then
 */
function ask(address, then) {
  const request = new XMLHttpRequest();
  request.open('GET', address);
  request.setRequestHeader('X-Poll', 'yes');
  request.responseType = 'document';
  request.addEventListener('load', () => {
    if (request.status === 200 && request.response instanceof Document) then(request.response);
  });
  request.send();
}

// If the bank has not answered yet, the page looks again every three seconds, 60 times at most, and whenever there is news.
const LOOK_EVERY_MS = 3000;
let looks = 60;
function look() {
  if (document.querySelector('[data-waits]') === null) return;
  ask(location.href, (page) => {
    // The bank's answer changes which actions there are, so the whole page is loaded.
    if (page.querySelector('[data-waits]') === null) location.reload();
  });
}
setInterval(() => {
  if (looks === 0 || document.hidden) return;
  looks -= 1;
  look();
}, LOOK_EVERY_MS);

// Keeps terminals up to date. Only changed parts are replaced, and each has reserved space, so that nothing moves.
const REFRESH_EVERY_MS = 2000;
setInterval(() => {
  const [refreshed] = all('[data-refreshes]');
  if (refreshed !== undefined && !document.hidden) ask(refreshed.dataset['refreshes'] ?? '', refresh);
}, REFRESH_EVERY_MS);

/** @param {Document} page */
function refresh(page) {
  for (const part of all('[data-live]')) {
    const next = page.querySelector(`[data-live="${part.dataset['live']}"]`);
    if (next === null || part.isEqualNode(next) || part.querySelector('[data-once=sent]') !== null) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement?.id : undefined;
    part.replaceChildren(...[...next.childNodes].map((node) => document.adoptNode(node)));
    if (focused) document.getElementById(focused)?.focus();
  }
}

// News: one tab of the browser waits for it while somebody sees the tab, and passes it to the others.
/** @typedef {{ type: string, id: string }} News */
const channel = new BroadcastChannel('news');
/** @type {string | null} */
let after = null;
/** The object ids of each place's news. @type {WeakMap<HTMLElement, Set<string>>} */
const heard = new WeakMap();

channel.addEventListener('message', ({ data }) => {
  after = data.after;
  take(data.news);
});

/** @param {News[]} news */
function take(news) {
  for (const place of all('[data-news]')) {
    const ids = heard.get(place) ?? new Set();
    for (const one of news) if (isFor(place, one)) ids.add(one.id);
    const isFirst = !heard.has(place) && ids.size > 0;
    if (ids.size > 0) heard.set(place, ids);
    if (isFirst) sayOnceItShows(place, MOST_TRIES);
    else if (all('a:not([hidden])', place).length > 0) say(place, ids.size);
  }
  if (news.length > 0) look();
}

/** @param {HTMLElement} place @param {News} news */
function isFor({ dataset: { news: types = '', about } }, { type, id }) {
  if (about !== undefined) return id === about;
  return types.split(' ').includes(type);
}

const MOST_TRIES = 8;

/** Shows the link once the page has another version: lists are behind the news. @param {HTMLElement} place @param {number} tries */
function sayOnceItShows(place, tries) {
  ask(location.href, (page) => {
    const version = all('[data-news]', page)[0]?.dataset['version'];
    if (version !== undefined && version !== place.dataset['version']) return say(place, heard.get(place)?.size ?? 0);
    if (tries > 1) setTimeout(() => sayOnceItShows(place, tries - 1), PAUSE_MS);
    else heard.delete(place);
  });
}

/** Shows the link over the page, so that nothing moves. @param {HTMLElement} place @param {number} count */
function say(place, count) {
  const { one = '', many = '' } = place.dataset;
  const [link] = all('a', place);
  if (link === undefined) return;
  link.textContent = count === 1 ? one : many.replace('#', String(count));
  link.hidden = false;
}

const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** Without news, the service answers after 25 s. An answer sooner than this came early. */
const WHOLE_WAIT_MS = 20_000;

/** @param {AbortSignal} unseen */
async function waitForNews(unseen) {
  for (let pauseMs = PAUSE_MS; !unseen.aborted;) {
    try {
      const began = Date.now();
      const isWait = after !== null;
      const address = isWait ? `/news?after=${after}` : '/news';
      const answer = await fetch(address, { headers: { 'X-Poll': 'yes' }, redirect: 'manual', signal: unseen });
      // The session has ended, or is now in a scope without news.
      if (answer.type === 'opaqueredirect' || answer.status === 404) return;
      if (answer.status === 400) after = null;
      if (!answer.ok) throw new Error(String(answer.status));
      const told = await answer.json();
      after = told.after;
      // The tab that waits next continues after this news.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
      channel.postMessage(told);
      take(told.news);
      // A newer wait may have ended this, its merchant's oldest. Asking again at once would end another.
      if (isWait && told.news.length === 0 && Date.now() - began < WHOLE_WAIT_MS) throw new Error('ended early');
      pauseMs = PAUSE_MS;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}

function follow() {
  if (document.hidden || !('locks' in navigator) || all('[data-news]').length === 0) return;
  const unseen = new AbortController();
  document.addEventListener('visibilitychange', () => unseen.abort(), { once: true });
  const { signal } = unseen;
  navigator.locks.request('news', { signal }, () => waitForNews(signal)).catch(() => {});
}
document.addEventListener('visibilitychange', follow);
follow();
