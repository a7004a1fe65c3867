import { GenericContainer } from 'testcontainers';

export interface PublishedPort {
  container: number;
  host: number;
}

/** Publishes its port to 127.0.0.1 only, for which Testcontainers has no option. */
export class LoopbackContainer extends GenericContainer {
  readonly #port: PublishedPort;

  constructor(image: string, port: PublishedPort) {
    super(image);
    this.#port = port;
    this.withExposedPorts(port);
  }

  protected override async beforeContainerCreated(): Promise<void> {
    const { container, host } = this.#port;
    this.hostConfig.PortBindings = { [`${container}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(host) }] };
  }
}
