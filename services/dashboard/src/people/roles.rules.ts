/** Where a person acts. There is one platform, without an id. */
export const scopeKinds = ['organization', 'partner', 'platform'] as const;
export type ScopeKind = (typeof scopeKinds)[number];
export interface Scope {
  kind: ScopeKind;
  id: string | null;
}

export const rolesOf = {
  organization: ['read-only', 'operator', 'owner'],
  partner: ['viewer', 'owner'],
  platform: ['admin'],
} as const satisfies Record<ScopeKind, readonly string[]>;
export type Role = (typeof rolesOf)[ScopeKind][number];

export const isRoleOf = (kind: ScopeKind, role: string): role is Role =>
  (rolesOf[kind] as readonly string[]).includes(role);

/** Each power includes the ones before it. */
const powers = ['read', 'operate', 'own'] as const;
export type Power = (typeof powers)[number];

const powerOf: Record<Role, Power> = {
  'read-only': 'read',
  viewer: 'read',
  operator: 'operate',
  owner: 'own',
  admin: 'own',
};

export const may = (role: Role, power: Power): boolean => powers.indexOf(powerOf[role]) >= powers.indexOf(power);

/** The role that manages a scope's members. */
export const leadingRole = (kind: ScopeKind): Role => (kind === 'platform' ? 'admin' : 'owner');
