import type { Language } from '@cobro/html/language.ts';

const es = {
  title: 'Quien vende',
  explain: 'Elige a alguien al crear un enlace o en la terminal, y cada pago dirá quién vendió y en qué sucursal.',
  people: 'Personas',
  branches: 'Sucursales',
  columns: { name: 'Nombre', username: 'Usuario', branch: 'Sucursal', status: 'Estado' },
  statuses: { ACTIVE: 'Vende', INACTIVE: 'Ya no vende' },
  noBranch: 'Ninguna',
  none: { title: 'Todavía no hay nadie', text: 'Agrega a la primera persona que vende.' },
  noBranches: 'Todavía no hay sucursales.',
  newPerson: 'Agregar a una persona',
  newBranch: 'Agregar una sucursal',
  name: 'Nombre',
  username: 'Usuario',
  usernameHint: 'De 3 a 50 letras minúsculas, números, puntos y guiones. No se puede cambiar después.',
  branch: 'Sucursal',
  status: 'Estado',
  add: 'Agregar',
  change: 'Cambiar',
  save: 'Guardar',
  kept: 'Los pagos que ya se hicieron conservan los nombres que tenían.',
  done: { created: 'Se agregó.', changed: 'El cambio se guardó.' },
  wrong: { title: 'Falta algo o no es válido', text: 'No se guardó nada. Revisa el nombre y el usuario.' },
  more: (count: number) => `Hay ${count} más; aquí está lo más nuevo.`,
  takings: 'Corte de caja',
  refusals: {
    USERNAME_TAKEN: { title: 'Ese usuario ya es de otra persona', text: 'No se guardó nada. Elige otro.' },
    EXTERNAL_ID_MISMATCH: { title: 'Este formulario ya agregó otra sucursal', text: 'No se agregó otra.' },
    BUSINESS_STORE_BRANCH_NOT_FOUND: { title: 'Esa sucursal ya no está', text: 'No se guardó nada. Elige otra.' },
  } as Record<string, { title: string; text: string }>,
};
export type SellerWords = typeof es;

const en: SellerWords = {
  title: 'People who sell',
  explain:
    'Choose somebody when you create a link or at the terminal, and each payment says who sold and in which branch.',
  people: 'People',
  branches: 'Branches',
  columns: { name: 'Name', username: 'Username', branch: 'Branch', status: 'Status' },
  statuses: { ACTIVE: 'Sells', INACTIVE: 'Sells no more' },
  noBranch: 'None',
  none: { title: 'Nobody yet', text: 'Add the first person who sells.' },
  noBranches: 'No branches yet.',
  newPerson: 'Add a person',
  newBranch: 'Add a branch',
  name: 'Name',
  username: 'Username',
  usernameHint: 'From 3 to 50 small letters, digits, dots and dashes. It cannot be changed later.',
  branch: 'Branch',
  status: 'Status',
  add: 'Add',
  change: 'Change',
  save: 'Save',
  kept: 'Payments that were made before keep the names that they had.',
  done: { created: 'It was added.', changed: 'The change was saved.' },
  wrong: { title: 'Something is missing or not valid', text: 'Nothing was saved. Look at the name and the username.' },
  more: (count) => `There are ${count} more; here are the newest.`,
  takings: 'Takings of a day',
  refusals: {
    USERNAME_TAKEN: { title: 'Somebody else has that username', text: 'Nothing was saved. Choose another.' },
    EXTERNAL_ID_MISMATCH: { title: 'This form has added another branch', text: 'No other was added.' },
    BUSINESS_STORE_BRANCH_NOT_FOUND: { title: 'That branch is gone', text: 'Nothing was saved. Choose another.' },
  },
};

export const sellerWords: { [Name in Language]: SellerWords } = { es, en };
