/**
 * Finds routes, guides, types of events and codes by the typed words. The pages work without it.
 *
 * @typedef {{ title: string; page: string; to: string; words: string }} Entry
 */
const input = /** @type {HTMLInputElement} */ (document.querySelector('#search'));
const found = /** @type {HTMLOListElement} */ (document.querySelector('#found'));
const MOST = 12;

/** @type {Entry[] | undefined} */
let index;
/** @returns {Promise<Entry[]>} */
const load = async () => (await fetch('search.json')).json();

async function search() {
  const entries = (index ??= await load());
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const best = entries
    .map((entry) => ({ entry, points: pointsOf(entry, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST);
  found.replaceChildren(...best.map(({ entry }) => lineOf(entry)));
  found.hidden = best.length === 0;
}
input.addEventListener('input', () => void search());

/**
 * More if the words stand in the title; 0 if one is missing.
 *
 * @param {Entry} entry
 * @param {string[]} words
 */
function pointsOf({ title, words: text }, words) {
  const name = title.toLowerCase();
  const all = `${name} ${text.toLowerCase()}`;
  if (words.length === 0 || !words.every((word) => all.includes(word))) return 0;
  return 1 + words.filter((word) => name.includes(word)).length;
}

/** @param {Entry} entry */
function lineOf({ title, page, to }) {
  const link = Object.assign(document.createElement('a'), { href: to, textContent: title });
  const where = Object.assign(document.createElement('span'), { textContent: page });
  const line = document.createElement('li');
  line.append(link, where);
  return line;
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true;
  if (event.key !== '/' || document.activeElement === input) return;
  event.preventDefault();
  input.focus();
});
found.addEventListener('click', () => {
  found.hidden = true;
});
