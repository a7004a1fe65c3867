// @ts-check
// Makes the dashboard's pages quicker where the browser runs scripts: copying, dialogs, and parts that follow what happens.
// Everything but the last works without it.

/** @param {string} selector @param {ParentNode} within @returns {HTMLElement[]} */
const all = (selector, within = document) =>
  [...within.querySelectorAll(selector)].filter((e) => e instanceof HTMLElement);

/** @param {ParentNode} within */
function prepare(within) {
  for (const button of all('[data-copy]', within)) button.hidden = false;
}
prepare(document);

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const copy = target?.closest('[data-copy]');
  if (copy instanceof HTMLElement) void copyTextOf(copy);
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

// A form that is sent is sent once. The service makes one operation of two copies all the same.
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

// A page that the browser kept, and shows again by "back", may be sent again.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of all('[data-once=sent]')) form.dataset['once'] = '';
});

// What is left of the hold that ends next. It is counted from what the page says, because the business's clock may be another one.
const openedAt = performance.now();
setInterval(() => {
  for (const shown of all('[data-counts-down]')) {
    const leftMs = Number(shown.dataset['countsDown']) - (performance.now() - openedAt);
    if (leftMs <= 0) return location.reload();
    const minutes = Math.floor(leftMs / 60_000);
    shown.textContent = `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  }
}, 5_000);

// Where the bank has not answered, the page looks whether it has, for three minutes at most: a page that is left open keeps no
// session alive.
const LOOK_EVERY_MS = 3000;
let looks = 60;
setInterval(() => {
  if (looks === 0 || document.hidden || document.querySelector('[data-waits]') === null) return;
  looks -= 1;
  const request = new XMLHttpRequest();
  request.open('GET', location.href);
  request.responseType = 'document';
  request.addEventListener('load', () => {
    if (request.status !== 200 || request.response?.querySelector('[data-waits]') !== null) return;
    // What may be done has changed with it, so the page is loaded as a whole.
    location.reload();
  });
  request.send();
}, LOOK_EVERY_MS);
