/** The password of each service's own user of RabbitMQ, by the service, which is also the user's name. */
export type ServicePasswords = Readonly<Record<string, string>>;

export interface BrokerAddress {
  /** An administrator's address. */
  url: string;
  /** Absent where somebody else's broker is used, whose address names the one user that there is. */
  servicePasswords?: ServicePasswords;
}

/** The address with which a service connects. */
export function brokerUrlOf({ url, servicePasswords }: BrokerAddress, service: string): string {
  const password = servicePasswords?.[service];
  if (password === undefined) return url;
  const address = new URL(url);
  address.username = service;
  address.password = password;
  return address.href;
}
