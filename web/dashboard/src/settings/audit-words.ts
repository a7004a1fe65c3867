import type { Language } from '@cobro/html/language.ts';

interface AuditWords {
  /** What can be filtered by: the beginnings of what is done. */
  groups: readonly (readonly [group: string, label: string])[];
  all: string;
  everybody: string;
  from: string;
  to: string;
  show: string;
  csv: string;
  none: string;
  /** What was done, in words; what is not here stands as it is. */
  what: Readonly<Record<string, string>>;
}

export const auditWords: { [Name in Language]: AuditWords } = {
  es: {
    groups: [
      ['payment', 'Pagos'],
      ['promotion', 'Promociones'],
      ['people', 'Personas'],
      ['sign-in', 'Entradas'],
      ['step-up', 'Confirmaciones'],
      ['passkey', 'Llaves de acceso'],
      ['sign-on', 'Proveedor de entrada'],
      ['export', 'Descargas'],
    ],
    all: 'Todo',
    everybody: 'Todas las personas',
    from: 'Desde',
    to: 'Hasta',
    show: 'Mostrar',
    csv: 'Descargar CSV',
    none: 'Nada coincide con estos filtros.',
    what: {
      'payment.refund': 'Devolución',
      'payment.capture': 'Captura',
      'payment.release': 'Liberación',
      'promotion.create': 'Promoción creada',
      'promotion.accept': 'Promoción aceptada',
      'promotion.end': 'Promoción terminada',
      'sign-in.password': 'Contraseña',
      'sign-in.second-factor': 'Segundo factor',
      'sign-in.totp': 'Entrada con aplicación',
      'sign-in.passkey': 'Entrada con llave de acceso',
      'sign-in.recovery-code': 'Entrada con código de recuperación',
      'sign-in.oidc': 'Entrada con proveedor',
      'step-up': 'Confirmación de identidad',
      'sign-out': 'Salida',
      'sign-out.everywhere': 'Salida en todas partes',
      'session.end': 'Dispositivo terminado',
      'scope.enter': 'Cambio de lugar',
      'people.remove': 'Persona quitada',
      'people.reset': 'Liga de restablecimiento',
      'people.withdraw-invitation': 'Invitación retirada',
      'factor.set-up': 'Segundo factor preparado',
      'factor.change': 'Segundo factor cambiado',
      'password.change': 'Contraseña cambiada',
      'passkey.register': 'Llave agregada',
      'passkey.remove': 'Llave quitada',
      'recovery-codes.renew': 'Códigos de recuperación nuevos',
      'export.audit': 'Descarga de la bitácora',
    },
  },
  en: {
    groups: [
      ['payment', 'Payments'],
      ['promotion', 'Promotions'],
      ['people', 'People'],
      ['sign-in', 'Sign-ins'],
      ['step-up', 'Confirmations'],
      ['passkey', 'Passkeys'],
      ['sign-on', 'Sign-in provider'],
      ['export', 'Downloads'],
    ],
    all: 'Everything',
    everybody: 'Everybody',
    from: 'From',
    to: 'To',
    show: 'Show',
    csv: 'Download CSV',
    none: 'Nothing fits these filters.',
    what: {
      'payment.refund': 'Refund',
      'payment.capture': 'Capture',
      'payment.release': 'Release',
      'promotion.create': 'Promotion created',
      'promotion.accept': 'Promotion accepted',
      'promotion.end': 'Promotion ended',
      'sign-in.password': 'Password',
      'sign-in.second-factor': 'Second factor',
      'sign-in.totp': 'Sign-in with an app',
      'sign-in.passkey': 'Sign-in with a passkey',
      'sign-in.recovery-code': 'Sign-in with a recovery code',
      'sign-in.oidc': 'Sign-in by the provider',
      'step-up': 'Confirmation of identity',
      'sign-out': 'Sign-out',
      'sign-out.everywhere': 'Sign-out everywhere',
      'session.end': 'Device ended',
      'scope.enter': 'Change of place',
      'people.remove': 'Person removed',
      'people.reset': 'Reset link',
      'people.withdraw-invitation': 'Invitation withdrawn',
      'factor.set-up': 'Second factor set up',
      'factor.change': 'Second factor changed',
      'password.change': 'Password changed',
      'passkey.register': 'Passkey added',
      'passkey.remove': 'Passkey removed',
      'recovery-codes.renew': 'New recovery codes',
      'export.audit': 'Download of the audit',
    },
  },
};
