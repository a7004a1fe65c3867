// @ts-check
// Asks the device for a passkey when a form is submitted, and sends the form with the device's answer. If the browser has no passkeys,
// the forms stay hidden.

const known = 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

for (const part of document.querySelectorAll('[data-passkey]')) {
  const form = part.querySelector('form');
  if (!known || !(part instanceof HTMLElement) || form === null) continue;
  part.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void answer(part, form);
  });
}

let isAsking = false;

/** @param {HTMLElement} part @param {HTMLFormElement} form */
async function answer(part, form) {
  if (isAsking) return;
  isAsking = true;
  const problem = part.querySelector('[role=alert]');
  if (problem instanceof HTMLElement) problem.hidden = true;
  try {
    const options = JSON.parse(part.dataset['options'] ?? '');
    const credential =
      part.dataset['passkey'] === 'create'
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
    const field = form.elements.namedItem('answer');
    if (!(field instanceof HTMLInputElement) || !(credential instanceof PublicKeyCredential)) throw new Error('none');
    field.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    // The person closed the device's window, or the device has no passkey of ours.
    if (problem instanceof HTMLElement) problem.hidden = false;
  } finally {
    isAsking = false;
  }
}
