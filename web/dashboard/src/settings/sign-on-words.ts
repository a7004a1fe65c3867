import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Entrada con proveedor (OIDC)',
  why: 'Las personas de aquí pueden entrar con la cuenta de tu empresa, en lugar de contraseña y código. Sólo vale en este lugar.',
  facts: 'Datos del proveedor',
  enter: 'Guardar',
  enterWhy: 'Guardar otros datos termina las sesiones que empezaron por el proveedor, y hay que probarlos de nuevo.',
  issuer: 'Emisor (issuer)',
  issuerHint: 'La dirección que tu proveedor llama “issuer”, con https.',
  clientId: 'Identificador de cliente',
  secret: 'Secreto de cliente',
  secretHint: 'Se guarda sellado y no se muestra otra vez.',
  callback: 'Dirección de regreso, para tu proveedor',
  callbackLater:
    'Al guardar sale aquí la dirección de regreso, sólo de este lugar, que hay que registrar con tu proveedor.',
  address: 'Dirección para entrar, para tu gente',
  status: 'Estado',
  untested: 'Sin probar',
  tested: 'Probado',
  required: 'Obligatorio',
  test: 'Probar',
  testedNow: 'Funciona: fuiste al proveedor y volviste.',
  link: 'Enlazar mi cuenta',
  require: 'Hacerlo obligatorio',
  requireWhy:
    'Las demás personas entrarán aquí sólo por el proveedor. Tú sigues entrando con contraseña y segundo factor, por si el proveedor falla.',
  requireNoMore: 'Ya no exigirlo',
  remove: 'Quitar el proveedor',
  removeWhy: 'Quita también las cuentas enlazadas y termina sus sesiones.',
  problems: {
    issuer: 'El emisor tiene que ser una dirección https pública, sin “?” ni “#”.',
    client: 'Escribe el identificador y el secreto de cliente.',
    byPassword: 'Entra con contraseña y segundo factor para hacerlo obligatorio: quien lo exige conserva esa entrada.',
    untested: 'Pruébalo primero. No se cambió nada.',
  },
};
export type SignOnWords = typeof es;

const en: SignOnWords = {
  title: 'Sign-in by a provider (OIDC)',
  why: 'People here may sign in with their company account in the place of password and code. It counts here alone.',
  facts: 'Facts of the provider',
  enter: 'Save',
  enterWhy: 'Saving other facts ends the sessions that the provider began, and they have to be tested again.',
  issuer: 'Issuer',
  issuerHint: 'The https address that your provider calls “issuer”.',
  clientId: 'Client ID',
  secret: 'Client secret',
  secretHint: 'It is kept sealed and not shown again.',
  callback: 'Redirect address, for your provider',
  callbackLater: 'Once saved, the redirect address of this place alone stands here; register it with your provider.',
  address: 'Address to sign in, for your people',
  status: 'State',
  untested: 'Not tested',
  tested: 'Tested',
  required: 'Required',
  test: 'Test',
  testedNow: 'It works: you went to the provider and came back.',
  link: 'Link my account',
  require: 'Require it',
  requireWhy:
    'All others will come in here by the provider alone. You still come in with password and second factor, in case the provider fails.',
  requireNoMore: 'Require it no more',
  remove: 'Remove the provider',
  removeWhy: 'Removes the linked accounts too and ends their sessions.',
  problems: {
    issuer: 'The issuer has to be a public https address, without “?” and “#”.',
    client: 'Enter the client ID and the client secret.',
    byPassword: 'Sign in with password and second factor to require it: whoever requires it keeps that way in.',
    untested: 'Test it first. Nothing was changed.',
  },
};
export const signOnWords: { [Name in Language]: SignOnWords } = { es, en };
