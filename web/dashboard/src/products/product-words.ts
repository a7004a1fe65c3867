import type { Language } from '@cobro/html/language.ts';

interface Said {
  title: string;
  text: string;
}

const es = {
  title: 'Productos',
  filter: 'Estado de los productos',
  filters: { ALL: 'Todos', ACTIVE: 'A la venta', ARCHIVED: 'Archivados' },
  statuses: { ACTIVE: 'A la venta', ARCHIVED: 'Archivado' },
  create: 'Nuevo producto',
  columns: { name: 'Nombre', made: 'Creado', stock: 'Existencias', status: 'Estado', price: 'Precio' },
  uncounted: 'Sin contar',
  units: (count: string, one: boolean) => (one ? `${count} unidad` : `${count} unidades`),
  empty: {
    title: 'Todavía no hay productos',
    text: 'Crea uno con su precio. Si cuentas sus existencias, nadie compra más de las que hay.',
  },
  none: { title: 'Ninguno en este estado', text: 'Mira todos los productos, o crea uno.', all: 'Ver todos' },
  form: {
    title: 'Nuevo producto',
    name: 'Nombre',
    description: 'Descripción',
    price: 'Precio en pesos',
    priceHint: 'Como 1,250.50',
    stock: 'Existencias',
    stockHint: 'Las unidades que hay. Déjalo vacío si no las cuentas; después ya no se puede cambiar.',
    externalId: 'Tu referencia',
    externalIdHint: 'Por ejemplo su código. Con la misma referencia no se crea otro producto.',
    button: 'Crear el producto',
    back: 'No, volver a los productos',
    errors: {
      name: 'Escribe un nombre de hasta 255 caracteres, sin números de tarjeta.',
      description: 'Escribe hasta 500 caracteres, sin números de tarjeta.',
      price: 'Escribe un precio de 0.01 a 999,999,999.99, con dos decimales a lo más.',
      stock: 'Escribe un número entero de 0 a 1,000,000.',
      externalId: 'Escribe una referencia de hasta 255 caracteres que no parezca un número de tarjeta.',
    },
  },
  detail: {
    title: 'Producto',
    facts: 'Datos',
    made: 'Creado',
    changed: 'Último cambio',
    externalId: 'Tu referencia',
    id: 'Id',
  },
  change: {
    title: 'Cambiar el producto',
    explain: 'El precio cuenta desde el siguiente pago. Lo que ya se pagó no cambia.',
    button: 'Guardar los cambios',
  },
  stock: {
    title: 'Cambiar las existencias',
    explain: (stock: string) => `Ahora hay ${stock}. Lo que se venda mientras tanto también cuenta.`,
    change: 'Unidades que entran o salen',
    changeHint: '10 suma diez unidades, -3 quita tres.',
    error: 'Escribe un número entero que no sea 0, como 10 o -3. Deben quedar de 0 a 1,000,000.',
    button: 'Cambiar las existencias',
  },
  archive: {
    title: 'Archivar el producto',
    explain: 'Sus enlaces ya no se podrán pagar. Puedes volver a ponerlo a la venta cuando quieras.',
    button: 'Archivar',
  },
  restore: {
    title: 'Poner a la venta otra vez',
    explain: 'Sus enlaces se podrán pagar de nuevo, al precio que tiene ahora.',
    button: 'Poner a la venta',
  },
  back: 'No, volver al producto',
  done: {
    created: 'El producto está listo.',
    changed: 'Los cambios están guardados.',
    stock: 'Las existencias están al día.',
    archived: 'El producto está archivado.',
    restored: 'El producto está a la venta.',
  },
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'Ya hay otro producto con esta referencia',
      text: 'No se creó otro. Búscalo en la lista, o usa otra referencia.',
    },
    FORM_USED: {
      title: 'Este formulario ya se usó con otros datos',
      text: 'Lo de antes sí se hizo. Si quieres algo más, revisa los datos y envía el formulario otra vez.',
    },
    FORM_TOO_OLD: {
      title: 'Este formulario era demasiado viejo',
      text: 'No se hizo nada. Revisa los datos y envíalo otra vez.',
    },
    STOCK_INSUFFICIENT: {
      title: 'No hay tantas unidades',
      text: 'No cambió nada. Mira cuántas hay ahora: quizá se vendieron algunas.',
    },
    STOCK_NOT_COUNTED: { title: 'Las unidades de este producto no se cuentan', text: 'No cambió nada.' },
    VALIDATION_ERROR: { title: 'Algo del formulario no es válido', text: 'No cambió nada. Corrige lo señalado.' },
  } as Record<string, Said>,
  lost: {
    title: 'No llegó ninguna respuesta',
    text: 'No sabemos si se hizo. Puedes enviar este mismo formulario otra vez: no se hace dos veces.',
  },
};
export type ProductWords = typeof es;

const en: ProductWords = {
  title: 'Products',
  filter: 'Status of the products',
  filters: { ALL: 'All', ACTIVE: 'On sale', ARCHIVED: 'Archived' },
  statuses: { ACTIVE: 'On sale', ARCHIVED: 'Archived' },
  create: 'New product',
  columns: { name: 'Name', made: 'Created', stock: 'Stock', status: 'Status', price: 'Price' },
  uncounted: 'Not counted',
  units: (count, one) => (one ? `${count} unit` : `${count} units`),
  empty: {
    title: 'No products yet',
    text: 'Create one with its price. If you count its stock, nobody buys more than there is.',
  },
  none: { title: 'None in this status', text: 'Look at all products, or create one.', all: 'Show all' },
  form: {
    title: 'New product',
    name: 'Name',
    description: 'Description',
    price: 'Price in pesos',
    priceHint: 'Like 1,250.50',
    stock: 'Stock',
    stockHint: 'The units that there are. Leave it empty if you do not count them; that cannot be changed later.',
    externalId: 'Your reference',
    externalIdHint: 'For example its code. The same reference makes no second product.',
    button: 'Create the product',
    back: 'No, back to the products',
    errors: {
      name: 'Enter a name of up to 255 characters, without card numbers.',
      description: 'Enter up to 500 characters, without card numbers.',
      price: 'Enter a price from 0.01 to 999,999,999.99, with at most two decimals.',
      stock: 'Enter a whole number from 0 to 1,000,000.',
      externalId: 'Enter a reference of up to 255 characters that does not look like a card number.',
    },
  },
  detail: {
    title: 'Product',
    facts: 'Details',
    made: 'Created',
    changed: 'Last change',
    externalId: 'Your reference',
    id: 'Id',
  },
  change: {
    title: 'Change the product',
    explain: 'The price counts from the next payment on. What has been paid does not change.',
    button: 'Save the changes',
  },
  stock: {
    title: 'Change the stock',
    explain: (stock) => `There are ${stock} now. What is sold meanwhile counts too.`,
    change: 'Units that come or go',
    changeHint: '10 adds ten units, -3 takes three away.',
    error: 'Enter a whole number other than 0, like 10 or -3. From 0 to 1,000,000 must be left.',
    button: 'Change the stock',
  },
  archive: {
    title: 'Archive the product',
    explain: 'Its links can no longer be paid. You can put it on sale again at any time.',
    button: 'Archive',
  },
  restore: {
    title: 'Put on sale again',
    explain: 'Its links can be paid again, at the price that it has now.',
    button: 'Put on sale',
  },
  back: 'No, back to the product',
  done: {
    created: 'The product is ready.',
    changed: 'The changes are saved.',
    stock: 'The stock is up to date.',
    archived: 'The product is archived.',
    restored: 'The product is on sale.',
  },
  refusals: {
    EXTERNAL_ID_MISMATCH: {
      title: 'There is another product with this reference',
      text: 'No other was created. Find it in the list, or use another reference.',
    },
    FORM_USED: {
      title: 'This form was used before with other data',
      text: 'What it said before was done. If you want more, check the data and send the form again.',
    },
    FORM_TOO_OLD: { title: 'This form was too old', text: 'Nothing was done. Check the data and send it again.' },
    STOCK_INSUFFICIENT: {
      title: 'There are not that many units',
      text: 'Nothing has changed. Look how many there are now: some may have been sold.',
    },
    STOCK_NOT_COUNTED: { title: 'The units of this product are not counted', text: 'Nothing has changed.' },
    VALIDATION_ERROR: {
      title: 'Something in the form is not valid',
      text: 'Nothing has changed. Mend what is marked.',
    },
  },
  lost: {
    title: 'No answer came',
    text: 'We do not know whether it was done. You can send this same form again: it is not done twice.',
  },
};

export const productWords: { [Name in Language]: ProductWords } = { es, en };
