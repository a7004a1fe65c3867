import type { Language } from '@cobro/html/language.ts';
import type { Role } from './frame.ts';

export interface ShellWords {
  otherLanguage: { language: Language; name: string };
  skip: string;
  menu: string;
  navigation: string;
  /** Names of the bands, for screen readers. */
  mode: string;
  loan: string;
  testBand: string;
  clockBand: (now: string) => string;
  moveClock: string;
  lent: (until: string) => string;
  times: string;
  signOut: string;
  account: string;
  roles: { [Name in Role]: string };
  sections: {
    home: string;
    payments: string;
    holds: string;
    deposits: string;
    partnerPayments: string;
    organizations: string;
    links: string;
    paymentLinks: string;
    subscriptions: string;
    products: string;
    promotions: string;
    partnerPromotions: string;
    terminals: string;
    sellers: string;
    calculator: string;
    developers: string;
    platform: string;
    platformPartners: string;
    platformOperations: string;
    settings: string;
  };
}

export const shellWords: { [Name in Language]: ShellWords } = {
  es: {
    otherLanguage: { language: 'en', name: 'English' },
    skip: 'Ir al contenido',
    menu: 'Menú',
    navigation: 'Secciones',
    mode: 'Modo',
    loan: 'Vista prestada',
    testBand: 'Modo de prueba: aquí no se mueve dinero real.',
    clockBand: (now) => `Aquí es ${now}.`,
    moveClock: 'Mover el reloj',
    lent: (until) => `El dueño te presta esta vista, sólo de lectura, hasta ${until}.`,
    times: 'Todas las horas son de la Ciudad de México.',
    signOut: 'Salir',
    account: 'Tu cuenta',
    roles: {
      'read-only': 'sólo lectura',
      operator: 'operación',
      owner: 'dueño',
      viewer: 'lectura de socio',
      admin: 'administración',
    },
    sections: {
      home: 'Inicio',
      payments: 'Pagos',
      holds: 'Retenciones',
      deposits: 'Cuadre',
      partnerPayments: 'Pagos',
      organizations: 'Comercios',
      links: 'Cobros únicos',
      paymentLinks: 'Enlaces de pago',
      subscriptions: 'Suscripciones',
      products: 'Productos',
      promotions: 'Promociones',
      partnerPromotions: 'Promociones',
      terminals: 'Terminales',
      sellers: 'Quien vende',
      calculator: 'Calculadora',
      developers: 'Desarrolladores',
      platform: 'Organizaciones',
      platformPartners: 'Socios',
      platformOperations: 'Operación',
      settings: 'Ajustes',
    },
  },
  en: {
    otherLanguage: { language: 'es', name: 'Español' },
    skip: 'Skip to content',
    menu: 'Menu',
    navigation: 'Sections',
    mode: 'Mode',
    loan: 'Lent view',
    testBand: 'Test mode: no real money moves here.',
    clockBand: (now) => `Here it is ${now}.`,
    moveClock: 'Move the clock',
    lent: (until) => `The owner lends you this view, read only, until ${until}.`,
    times: 'All times are Mexico City times.',
    signOut: 'Sign out',
    account: 'Your account',
    roles: {
      'read-only': 'read only',
      operator: 'operator',
      owner: 'owner',
      viewer: 'partner viewer',
      admin: 'administrator',
    },
    sections: {
      home: 'Home',
      payments: 'Payments',
      holds: 'Holds',
      deposits: 'Deposits',
      partnerPayments: 'Payments',
      organizations: 'Merchants',
      links: 'One-time payments',
      paymentLinks: 'Payment links',
      subscriptions: 'Subscriptions',
      products: 'Products',
      promotions: 'Promotions',
      partnerPromotions: 'Promotions',
      terminals: 'Terminals',
      sellers: 'People who sell',
      calculator: 'Calculator',
      developers: 'Developers',
      platform: 'Organizations',
      platformPartners: 'Partners',
      platformOperations: 'Operations',
      settings: 'Settings',
    },
  },
};
