/** The RabbitMQ password of each service, by the service's name, which is also the user's name. */
export type ServicePasswords = Readonly<Record<string, string>>;

export interface BrokerAddress {
  /** An administrator's address. */
  url: string;
  /** Absent if the broker is not ours; its address then names its only user. */
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
