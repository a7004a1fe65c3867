/** Cookies that only this origin's https pages get; plain ones on http://localhost. */
export interface Cookies {
  read(header: string | undefined, name: CookieName): string | undefined;
  set(name: CookieName, value: string, maxAgeS?: number): string;
  clear(name: CookieName): string;
}

type CookieName = 'session' | 'visit' | 'device';

export function cookiesOf(baseUrl: string): Cookies {
  const isSecure = baseUrl.startsWith('https:');
  const nameOf = (name: CookieName) => (isSecure ? `__Host-${name}` : `cobro-${name}`);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const set: Cookies['set'] = (name, value, maxAgeS) =>
    `${nameOf(name)}=${value}; ${attributes}${maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`}`;
  return {
    read: (header = '', name) => {
      const own = header.split(';').flatMap((pair) => {
        const [written = '', value = ''] = pair.trim().split('=', 2);
        return written === nameOf(name) && /^[\w-]{1,400}$/.test(value) ? [value] : [];
      });
      // If two cookies have this name, they are not both ours.
      return own.length === 1 ? own[0] : undefined;
    },
    set,
    clear: (name) => set(name, '', 0),
  };
}
