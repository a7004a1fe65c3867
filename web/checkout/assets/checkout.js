// @ts-check
// Makes the checkout page better if the browser runs scripts. Everything works without it.

/** @typedef {HTMLInputElement} Field */

const root = document.documentElement;
root.classList.add('scripted');

/** @param {string} id */
const byId = (id) => /** @type {Field} */ (document.getElementById(id));
/** @param {string} text */
const digitsOf = (text) => text.replace(/\D/g, '');

// Name, first digits, lengths, digits of the cvc. An unknown network may have any card's lengths.
/** @type {[string, RegExp, number[], number][]} */
const networks = [
  ['American Express', /^3[47]/, [15], 4],
  ['Carnet', /^(506|286900|502275|588772|604622|606333|627535|63(6318|6379|9388|9484|9559))/, [16], 3],
  ['Visa', /^4/, [16, 13, 19], 3],
  ['Mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16], 3],
];
function network() {
  const digits = digitsOf(byId('number').value);
  const [name, , lengths, cvc] = networks.find(([, prefix]) => prefix.test(digits)) ?? [];
  return { name, lengths: lengths ?? [12, 13, 14, 15, 16, 17, 18, 19], cvc };
}

/** @param {string} digits */
function passesLuhn(digits) {
  let sum = 0;
  for (let i = 1; i <= digits.length; i += 1) {
    const digit = Number(digits.at(-i)) * (i % 2 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

// What is wrong with a field: '', or the name of the text that its data attributes hold.
/** @type {Record<string, (value: string) => string>} */
const faults = {
  number: (value) =>
    network().lengths.includes(digitsOf(value).length) && passesLuhn(digitsOf(value)) ? '' : 'invalid',
  expiry(value) {
    const [, month = '', year = ''] = /^(\d{1,2})\s*[/ .-]?\s*(?:20)?(\d{2})$/.exec(value) ?? [];
    if (!(Number(month) >= 1 && Number(month) <= 12)) return 'invalid';
    return `20${year}-${month.padStart(2, '0')}` < (byId('pay').dataset.month ?? '') ? 'expired' : '';
  },
  cvc: (value) => ([network().cvc ?? value.length].includes(value.length) && /^\d{3,4}$/.test(value) ? '' : 'invalid'),
  email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? '' : 'invalid'),
};

/** @param {Field} field */
function faultOf({ name, value, required }) {
  if (value.trim() === '') return required ? 'required' : '';
  return faults[name]?.(value.trim()) ?? '';
}

/** @param {Field} field @param {string} fault */
function show(field, fault) {
  const place = byId(`${field.id}-error`);
  const text = field.dataset[fault] ?? '';
  if (place.textContent !== text) place.textContent = text;
  if (fault) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/** Whether the value is complete, so that a fault can be shown before the field is left. @param {Field} field */
function isComplete({ name, value }) {
  if (name === 'number') return network().name !== undefined && digitsOf(value).length >= (network().lengths[0] ?? 0);
  if (name === 'expiry') return /^\d\d\/(?!20)\d\d$|^\d\d\/20\d\d$/.test(value);
  return name === 'cvc' && value.length === network().cvc;
}

/** Spaces the digits as they are on the card, and leaves the caret behind the same digit. @param {Field} field */
function groupNumber(field) {
  const digits = digitsOf(field.value).slice(0, 19);
  const groups =
    network().cvc === 4 ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?(\d{1,3})?/;
  const text = (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ');
  if (text === field.value) return;
  let before = digitsOf(field.value.slice(0, field.selectionStart ?? 0)).length;
  field.value = text;
  let caret = 0;
  for (; before > 0 && caret < text.length; caret += 1) if (text[caret] !== ' ') before -= 1;
  if (document.activeElement === field) field.setSelectionRange(caret, caret);
}

/** Puts the slash in. @param {Field} field */
function slashExpiry(field) {
  if (field.selectionStart !== field.value.length) return;
  field.value = field.value.replace(/^([2-9]|1(?=\D))\D?$/, '0$1').replace(/^(\d\d)\D*(\d{0,4})$/, '$1/$2');
}

function showNetwork() {
  const name = network().name ?? '';
  for (const mark of document.querySelectorAll('.mark')) {
    mark.classList.toggle('other', name !== '' && mark.getAttribute('data-network') !== name);
  }
  if (byId('network').textContent !== name) byId('network').textContent = name;
}

/** The list at the top, as the server writes it. @param {Field[]} faulty */
function sumUp(faulty) {
  const notice = byId('notice');
  const title = /** @type {HTMLElement} */ (notice.querySelector('h2'));
  const list = document.createElement('ul');
  for (const field of faulty) {
    const link = document.createElement('a');
    link.href = `#${field.id}`;
    link.textContent = byId(`${field.id}-error`).textContent;
    list.appendChild(document.createElement('li')).append(link);
  }
  notice.hidden = faulty.length === 0;
  title.textContent = notice.dataset.title ?? '';
  title.parentElement?.replaceChildren(title, list);
}

/** @param {HTMLFormElement} form @param {SubmitEvent} event */
function submit(form, event) {
  const fields = /** @type {Field[]} */ ([...form.querySelectorAll('[data-required]')]);
  for (const field of fields) show(field, faultOf(field));
  const faulty = fields.filter((field) => field.hasAttribute('aria-invalid'));
  sumUp(faulty);
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('.pay'));
  if (faulty.length > 0 || button.disabled) {
    event.preventDefault();
    return faulty[0]?.focus();
  }
  const usual = button.textContent;
  button.textContent = button.dataset.busy ?? usual;
  button.disabled = true;
  // Longer than any answer takes. Because of the page token, sending the form again pays nothing again.
  setTimeout(() => {
    button.disabled = false;
    button.textContent = usual;
  }, 30_000);
}

/** @param {HTMLFormElement} form */
function assist(form) {
  form.noValidate = true;
  form.addEventListener('input', (event) => {
    const field = /** @type {Field} */ (event.target);
    const isDeleting = event.inputType?.startsWith('delete');
    if (field.name === 'number') groupNumber(field);
    if (field.name === 'number') showNetwork();
    if (field.name === 'expiry' && !isDeleting) slashExpiry(field);
    if (isComplete(field)) show(field, faultOf(field));
    else if (field.hasAttribute('aria-invalid')) show(field, '');
  });
  // Leaving an empty field shows no fault yet; sending the form does.
  form.addEventListener('focusout', (event) => {
    const field = /** @type {Field} */ (event.target);
    if (field.dataset.required && field.value.trim() !== '') show(field, faultOf(field));
    if (field.name === 'number' && byId('cvc').value !== '') show(byId('cvc'), faultOf(byId('cvc')));
  });
  form.addEventListener('submit', (event) => submit(form, event));
  showNetwork();
}

const here = location.href.replace(/#.*/, '');

/** Loads this page again until it shows something else. Loading pays nothing. @param {number} waitMs */
async function watch(waitMs) {
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const page = await fetch(here).then(
    (answer) => (answer.status < 500 ? answer.text() : 'confirming'),
    () => 'confirming',
  );
  if (page === 'confirming' || page.includes('data-state="confirming"')) return watch(Math.min(waitMs * 1.5, 10_000));
  location.replace(here);
}

const form = document.querySelector('form');
if (form) assist(form);
if (root.dataset.state === 'confirming') void watch(2_000);
document.querySelector('#print')?.addEventListener('click', () => print());

// A page that comes back from the browser's memory may be outdated, so it is loaded again.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.replace(here);
});
