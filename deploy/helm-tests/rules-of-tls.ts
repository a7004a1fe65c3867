import { deployedAcquirers } from '../generator/deployed-services.ts';
import type { Manifest } from './check-manifest.ts';
import {
  type ChartRule,
  environmentOf,
  file,
  named,
  names,
  ofKind,
  podOf,
  refused,
  type Render,
  same,
  services,
  specOf,
  twoCores,
  variable,
  withPods,
} from './rendered.ts';
import { examples } from './rules-of-examples.ts';

const inMode = (render: Render, mode: string) =>
  render({
    ...twoCores,
    set: { 'tls.existingSecret': 'own-tls', 'test.makeMerchant': true, 'tls.mode': mode },
  });
const deployment = (all: Manifest[], name: string) => named(all, 'Deployment', `shop-cobro-${name}`);
const text = (one: Manifest) => JSON.stringify(one);

/** For each step of switching TLS on: whether processes call by TLS, and whether they refuse anything else. */
const steps = [
  { mode: 'offered', scheme: 'http', required: 'false' },
  { mode: 'used', scheme: 'https', required: 'false' },
  { mode: 'required', scheme: 'https', required: 'true' },
];

const own: ChartRule[] = [
  {
    sentence: 'without a certificate nothing of TLS between our processes is there',
    check: (render) =>
      withPods(render(twoCores)).flatMap((one) =>
        same(one.metadata.name, /TLS_|"\/tls"|HTTPS"/.test(text(one)), false),
      ),
  },
  ...steps.map(({ mode, scheme, required }) => ({
    sentence: `TLS ${mode}: processes are called by ${scheme}, and what is in clear is ${required === 'true' ? 'not ' : ''}taken too`,
    check: (render: Render) => {
      const all = inMode(render, mode);
      return [
        ...same(
          'test',
          environmentOf(named(all, 'Pod', 'shop-cobro-test'))[0]?.value,
          `${scheme}://shop-cobro-gateway:8080/api`,
        ),
        ...names.flatMap((name) => [
          ...same(`${name}: required`, variable(deployment(all, name), 'TLS_REQUIRED'), required),
          ...same(`${name}: folder`, variable(deployment(all, name), 'TLS_FOLDER'), '/tls'),
          ...same(`${name}: probes`, text(deployment(all, name)).match(/"scheme":"HTTPS"/g)?.length, 3),
          ...same(
            `${name}: protocol`,
            text(named(all, 'Service', `shop-cobro-${name}`)).includes(`"appProtocol":"${scheme}"`),
            true,
          ),
          ...(services[name]?.calls ?? []).flatMap((called) =>
            same(
              `${name} calls ${called}`,
              variable(deployment(all, name), `${called.toUpperCase()}_URL`),
              `${scheme}://shop-cobro-${called}:${services[called]?.ports.find(({ host }) => host === undefined)?.port}`,
            ),
          ),
        ]),
      ];
    },
  })),
  {
    sentence: 'a certificate without a mode is refused, because where something runs already it would lose requests',
    check: (render) => refused(render, { ...twoCores, set: { 'tls.existingSecret': 'own-tls' } }, 'tls.mode is needed'),
  },
  {
    sentence: 'a mode without a certificate is refused, because the services would speak in clear',
    check: (render) =>
      refused(render, { ...twoCores, set: { 'tls.mode': 'required' } }, 'tls.existingSecret is needed'),
  },
  {
    sentence: 'each Deployment says which step it is at, for the next upgrade',
    check: (render) =>
      ['off', ...steps.map(({ mode }) => mode)].flatMap((step) =>
        ofKind(step === 'off' ? render(twoCores) : inMode(render, step), 'Deployment').flatMap(({ metadata }) =>
          same(metadata.name, metadata.annotations?.['cobro/tls'], step),
        ),
      ),
  },
  {
    sentence: 'only services have a key of TLS; the test believes the authority, and has none',
    check: (render) =>
      withPods(inMode(render, 'required')).flatMap((one) => {
        const volume = podOf(one).volumes?.find(({ name }) => name === 'tls');
        if (one.kind === 'Deployment')
          return same(one.metadata.name, volume, { name: 'tls', secret: { secretName: 'own-tls' } });
        if (one.kind !== 'Pod') return same(one.metadata.name, volume, undefined);
        const items = [{ key: 'ca.crt', path: 'ca.crt' }];
        return [
          ...same('volume', volume, { name: 'tls', secret: { secretName: 'own-tls', items } }),
          ...same('authority', variable(one, 'NODE_EXTRA_CA_CERTS'), '/tls/ca.crt'),
        ];
      }),
  },
  {
    sentence: 'each service may have a certificate of its own',
    check: (render) => {
      const all = render({ ...twoCores, set: { 'tls.existingSecret': 'own-{service}-tls', 'tls.mode': 'used' } });
      return names.flatMap((name) =>
        same(name, text(deployment(all, name)).includes(`"secretName":"own-${name}-tls"`), true),
      );
    },
  },
  {
    sentence: 'another way to switch TLS on is refused, and so are its variables by hand',
    check: (render) => [
      ...refused(render, { ...twoCores, set: { 'tls.mode': 'on' } }, 'mode'),
      ...refused(render, { ...twoCores, set: { 'services.payments.env.TLS_FOLDER': '/x' } }, 'TLS_FOLDER'),
      ...refused(render, { ...twoCores, set: { 'extraEnv.TLS_REQUIRED': 'false' } }, 'TLS_REQUIRED'),
    ],
  },
  {
    sentence: 'the example of cert-manager has the names of all services',
    check: () => {
      const hosts = specOf(named(examples(), 'Certificate', 'cobro-internal'))['dnsNames'] as unknown as string[];
      const called = [...names, ...Object.keys(deployedAcquirers())].map((name) => `cobro-${name}`);
      return same('names', hosts.toSorted(), called.toSorted());
    },
  },
];

const SERVERS = ['postgres', 'rabbitmq', 'redis', 'bank'];

const shown: ChartRule[] = [
  {
    sentence: 'every process has the certificates that it shows to servers, and where they are',
    check: (render) => {
      const set = Object.fromEntries(
        SERVERS.map((server) => [`${server}.clientCertificate.existingSecret`, `${server}-client`]),
      );
      return withPods(render({ ...twoCores, set })).flatMap((one) => {
        const volume = podOf(one).volumes?.find(({ name }) => name === 'client-certificates');
        const sources = SERVERS.map((server) => ({
          secret: {
            name: `${server}-client`,
            items: [
              { key: 'tls.crt', path: `${server}.crt` },
              { key: 'tls.key', path: `${server}.key` },
            ],
          },
        }));
        return [
          ...same(one.metadata.name, volume?.projected?.sources, sources),
          ...same(`${one.metadata.name}: where`, variable(one, 'CLIENT_CERTIFICATES'), '/client-certificates'),
        ];
      });
    },
  },
  {
    sentence: 'KEDA shows the certificate for RabbitMQ too',
    check: (render) => {
      const set = { 'rabbitmq.clientCertificate.existingSecret': 'mq-client' };
      return ofKind(render({ files: [file('autoscaled.yaml')], set }), 'TriggerAuthentication').flatMap((one) =>
        [
          '"parameter":"cert","name":"mq-client","key":"tls.crt"',
          '"parameter":"key","name":"mq-client","key":"tls.key"',
          '"parameter":"tls"',
        ].flatMap((reference) => same(reference, text(one).includes(reference), true)),
      );
    },
  },
];

export const rulesOfTls: ChartRule[] = [...own, ...shown];
