import type { Language } from '@cobro/html/language.ts';

interface Said {
  title: string;
  text: string;
}

const es = {
  organization: {
    title: 'Nueva organización',
    name: 'Nombre',
    nameHint: 'Sus clientes lo ven en la página de pago.',
    website: 'Sitio web',
    partner: 'Socio comercial',
    noPartner: 'Ninguno',
    partnersMissing: 'Los socios no llegaron a tiempo. Carga la página otra vez para elegir uno.',
    button: 'Crear la organización',
    back: 'No, volver a las organizaciones',
  },
  partner: {
    title: 'Nuevo socio comercial',
    name: 'Nombre',
    button: 'Crear el socio',
    back: 'No, volver a los socios',
  },
  wrong: {
    name: 'Escribe un nombre de hasta 255 caracteres, sin números de tarjeta.',
    website: 'Escribe una dirección como https://comercio.example, o nada.',
  },
  done: {
    organization: 'La organización está creada. Aparece en la lista en unos segundos; ponle sus comisiones.',
    partner: 'El socio está creado. Aparece en la lista con su primera organización.',
    fees: 'La tabla quedó como se ve.',
  },
  fees: {
    title: 'Comisiones',
    of: (name: string) => `Comisiones de ${name}`,
    intro:
      'Con esta tabla se reparten los próximos pagos de la organización; los de antes conservan la suya. De varias filas cuenta la más precisa.',
    none: { title: 'Sin comisiones', text: 'Mientras no tenga ninguna, la organización no puede cobrar.' },
    set: 'Poner comisiones',
    setHint: 'Una fila que ya está se cambia. Se escriben todas las filas, o ninguna.',
    types: 'Dónde se cobra',
    network: 'Marca',
    fundingSource: 'Tipo de tarjeta',
    any: 'Cualquiera',
    terms: 'Mensualidades',
    fee: 'Comisión (%)',
    discount: 'De ella paga el socio (%)',
    take: 'Le da al socio (%)',
    hint: 'Como 3.5.',
    button: 'Poner',
    remove: 'Quitar',
    removeOf: (row: string) => `Quitar ${row}`,
    action: 'Acción',
    wrong: {
      types: 'Elige dónde se cobra.',
      terms: 'Elige al menos un plazo.',
      fee: 'Escribe un porcentaje de 0 a 30, con dos decimales a lo más.',
      discount: 'Escribe un porcentaje que no pase de la comisión.',
      take: 'Escribe un porcentaje de 0 a 30, con dos decimales a lo más.',
    },
  },
  lost: {
    title: 'No llegó ninguna respuesta',
    text: 'No sabemos si se hizo. Puedes enviar este mismo formulario otra vez: no se hace dos veces.',
  },
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'Este formulario ya creó otra cosa',
      text: 'No se creó nada más. Revisa los datos y envía el formulario otra vez.',
    },
    FORM_TOO_OLD: { title: 'Este formulario era demasiado viejo', text: 'No se hizo nada. Envíalo otra vez.' },
    NOT_FOUND: {
      title: 'La organización todavía no se conoce aquí',
      text: 'No se cambió nada. Si es nueva, prueba en unos segundos.',
    },
    VALIDATION_ERROR: { title: 'Algo no es válido', text: 'No se hizo nada. Corrige lo señalado.' },
  } as Record<string, Said>,
};
export type PlaceWords = typeof es;

const en: PlaceWords = {
  organization: {
    title: 'New organization',
    name: 'Name',
    nameHint: 'Its customers see it on the payment page.',
    website: 'Website',
    partner: 'Sales partner',
    noPartner: 'None',
    partnersMissing: 'The partners did not come in time. Load the page again to choose one.',
    button: 'Create the organization',
    back: 'No, back to the organizations',
  },
  partner: {
    title: 'New sales partner',
    name: 'Name',
    button: 'Create the partner',
    back: 'No, back to the partners',
  },
  wrong: {
    name: 'Enter a name of up to 255 characters, without card numbers.',
    website: 'Enter an address like https://merchant.example, or nothing.',
  },
  done: {
    organization: 'The organization is created. It is in the list in some seconds; set its fees.',
    partner: 'The partner is created. It is in the list with its first organization.',
    fees: 'The table is as you see it.',
  },
  fees: {
    title: 'Fees',
    of: (name) => `Fees of ${name}`,
    intro:
      'The organization’s next payments are disbursed by this table; earlier ones keep theirs. Of several rows the most specific counts.',
    none: { title: 'No fees', text: 'While it has none, the organization cannot take payments.' },
    set: 'Set fees',
    setHint: 'A row that is there is changed. All rows are written, or none.',
    types: 'Where it is paid',
    network: 'Brand',
    fundingSource: 'Kind of card',
    any: 'Any',
    terms: 'Months',
    fee: 'Fee (%)',
    discount: 'Of it the partner pays (%)',
    take: 'It gives the partner (%)',
    hint: 'Like 3.5.',
    button: 'Set',
    remove: 'Remove',
    removeOf: (row) => `Remove ${row}`,
    action: 'Action',
    wrong: {
      types: 'Choose where it is paid.',
      terms: 'Choose at least one number of months.',
      fee: 'Enter a percentage from 0 to 30, with at most two decimals.',
      discount: 'Enter a percentage that is not above the fee.',
      take: 'Enter a percentage from 0 to 30, with at most two decimals.',
    },
  },
  lost: {
    title: 'No answer came',
    text: 'We do not know whether it was done. You can send this same form again: it is not done twice.',
  },
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'This form has created something else',
      text: 'Nothing more was created. Check the data and send the form again.',
    },
    FORM_TOO_OLD: { title: 'This form was too old', text: 'Nothing was done. Send it again.' },
    NOT_FOUND: {
      title: 'The organization is not known here yet',
      text: 'Nothing was changed. If it is new, try in some seconds.',
    },
    VALIDATION_ERROR: { title: 'Something is not valid', text: 'Nothing was done. Mend what is marked.' },
  },
};

export const placeWords: { [Name in Language]: PlaceWords } = { es, en };
