import type { Language } from '@cobro/html/language.ts';

const es = {
  tab: 'Tu comercio',
  title: 'Perfil de tu comercio',
  explain: 'El nombre y el sitio aparecen en las páginas en las que te pagan, en cuanto los guardas.',
  name: 'Nombre',
  websiteURL: 'Sitio web',
  supportEmail: 'Correo de atención',
  supportPhoneNumber: 'Teléfono de atención',
  keepsHint: 'Lo que dejes vacío se queda como está.',
  partner: 'Socio comercial',
  save: 'Guardar',
  saved: 'El perfil se guardó.',
  wrong: {
    title: 'Algo no es válido',
    text: 'No se guardó nada. Revisa el nombre, la dirección del sitio, que empieza con http, y el correo.',
  },
};
type OrganizationWords = typeof es;

const en: OrganizationWords = {
  tab: 'Your business',
  title: 'Profile of your business',
  explain: 'The name and the site stand on the pages on which you are paid, as soon as you save them.',
  name: 'Name',
  websiteURL: 'Website',
  supportEmail: 'Support e-mail',
  supportPhoneNumber: 'Support telephone',
  keepsHint: 'What you leave empty stays as it is.',
  partner: 'Sales partner',
  save: 'Save',
  saved: 'The profile was saved.',
  wrong: {
    title: 'Something is not valid',
    text: 'Nothing was saved. Look at the name, the address of the site, which begins with http, and the e-mail.',
  },
};

export const organizationWords: { [Name in Language]: OrganizationWords } = { es, en };
