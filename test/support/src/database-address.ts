export interface Role {
  name: string;
  password: string;
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

export function withRole(url: string, { name, password }: Role): string {
  const address = new URL(url);
  address.username = name;
  address.password = password;
  return address.href;
}
