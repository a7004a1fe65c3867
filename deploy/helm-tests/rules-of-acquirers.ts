import { deployedAcquirers } from '../generator/deployed-services.ts';
import type { Rendering } from './chart.ts';
import type { Manifest } from './check-manifest.ts';
import {
  type ChartRule,
  environmentOf,
  named,
  names,
  podOf,
  production,
  refused,
  same,
  services,
  specOf,
  twoCores,
  variable,
  withPods,
} from './rendered.ts';

const withStripe: Rendering = { ...twoCores, set: { 'stripe.enabled': true, 'bank.url': '' } };
const live = { keyMode: 'live', 'test.makeMerchant': false, checkoutBaseUrl: 'https://pay.example.com' };
const tls = { 'tls.existingSecret': 'cobro-{service}-tls', 'tls.mode': 'required' };
const callers = names.filter((name) => services[name]?.stores.includes('bank'));

const secretsOf = (manifest: Manifest) =>
  environmentOf(manifest).flatMap(({ name, valueFrom }) =>
    valueFrom ? [[name, valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key].join(' ')] : [],
  );
const componentsIn = (rule: object): string[] =>
  [...JSON.stringify(rule).matchAll(/"app.kubernetes.io\/component":"([a-z]+)"/g)].map(([, name = '']) => name);

/** Adapters of acquirers are off unless a deployment switches one on. */
export const rulesOfAcquirers: ChartRule[] = [
  {
    sentence: 'there is nothing of an acquirer until it is switched on',
    check: (render) =>
      [twoCores, production]
        .flatMap(render)
        .filter((one) => Object.keys(deployedAcquirers()).some((name) => one.metadata.name.endsWith(name)))
        .map(({ metadata }) => metadata.name),
  },
  {
    sentence: 'the Stripe adapter has its own Secret and its database, and nothing of ours',
    check: (render) =>
      same('secrets', secretsOf(named(render(withStripe), 'Deployment', 'shop-cobro-stripe')).toSorted(), [
        'ACCEPTED_TOKENS cobro-stripe accepted-tokens',
        'CARD_FINGERPRINT_KEY cobro-stripe card-fingerprint-key',
        'DATABASE_URL cobro-postgres stripe-url',
        'STRIPE_SECRET_KEY cobro-stripe secret-key',
      ]),
  },
  {
    sentence:
      'where bank.url is empty the Stripe adapter is the bank of all who call one, with the token of its Secret',
    check: (render) => {
      const all = render(withStripe);
      const reconciliation = named(all, 'CronJob', 'shop-cobro-reconciliation');
      return [reconciliation, ...callers.map((name) => named(all, 'Deployment', `shop-cobro-${name}`))].flatMap(
        (one) => [
          ...same(one.metadata.name, variable(one, 'BANK_URL'), 'http://shop-cobro-stripe:8080'),
          ...same(
            one.metadata.name,
            secretsOf(one).filter((secret) => secret.startsWith('BANK_TOKEN')),
            ['BANK_TOKEN cobro-stripe token'],
          ),
        ],
      );
    },
  },
  {
    sentence: 'who calls the bank reaches the Stripe adapter and nobody else does; it gets to Postgres, Stripe and DNS',
    check: (render) => {
      const all = render({
        ...withStripe,
        set: { ...withStripe.set, 'stripe.to': [{ ipBlock: { cidr: '198.51.100.0/24' } }] },
      });
      const policyOf = (name: string) =>
        specOf(named(all, 'NetworkPolicy', `shop-cobro-${name}`)) as unknown as Record<'ingress' | 'egress', object[]>;
      const { ingress, egress } = policyOf('stripe');
      const ports = egress.map((rule) => (rule as { ports: { port: number }[] }).ports[0]?.port);
      return [
        ...same(
          'lets in',
          ingress.flatMap(componentsIn).toSorted(),
          [...callers, 'operations', 'reconciliation'].toSorted(),
        ),
        ...same('gets to', ports, [53, 5432, 443]),
        ...same('Stripe', JSON.stringify(egress).includes('198.51.100.0/24'), true),
        ...callers.flatMap((name) => same(name, policyOf(name).egress.flatMap(componentsIn).includes('stripe'), true)),
      ];
    },
  },
  {
    sentence: 'who calls the bank reaches the Stripe adapter and other acquirers, whichever of them is the bank',
    check: (render) => {
      const other = { 'bank.others': 'other=https://other.example.com' };
      const adapter = { 'bank.url': 'https://bank.example.com', 'bank.others': 'stripe=http://shop-cobro-stripe:8080' };
      return [other, adapter].flatMap((set) => {
        const all = render({ ...withStripe, set: { ...withStripe.set, ...set, 'bank.port': 4443 } });
        return [...callers, 'reconciliation', 'operations'].flatMap((name) => {
          const { egress } = specOf(named(all, 'NetworkPolicy', `shop-cobro-${name}`)) as Record<string, object[]>;
          const text = JSON.stringify(egress);
          return same(name, [egress?.flatMap(componentsIn).includes('stripe'), text.includes('4443')], [true, true]);
        });
      });
    },
  },
  {
    sentence: 'who calls the Stripe adapter by TLS believes the authority of its certificate, Jobs too',
    check: (render) => {
      const volumeOf = (one: Manifest) => podOf(one).volumes?.find(({ name }) => name === 'authorities');
      const secret = { name: 'cobro-stripe-tls', items: [{ key: 'ca.crt', path: 'stripe.crt' }] };
      const set = (mode: string) => ({ ...withStripe.set, ...tls, 'tls.mode': mode });
      return [
        ...withPods(render({ ...withStripe, set: set('required') })).flatMap((one) => [
          ...same(one.metadata.name, volumeOf(one)?.projected?.sources, [{ secret }]),
          ...same(`${one.metadata.name}: where`, variable(one, 'TRUSTED_AUTHORITIES'), '/authorities'),
        ]),
        ...withPods(render({ ...withStripe, set: set('offered') })).flatMap((one) =>
          same(`${one.metadata.name}, offered`, volumeOf(one), undefined),
        ),
      ];
    },
  },
  {
    sentence: 'the migration makes the schema of the Stripe adapter, operators’ commands know it, and no other Job',
    check: (render) => {
      const all = render(withStripe);
      const known = (one: Manifest) => secretsOf(one).filter((secret) => secret.startsWith('STRIPE_'));
      return [
        ...same('migration', known(named(all, 'Job', 'shop-cobro-migration')).toSorted(), [
          'STRIPE_DATABASE_URL cobro-postgres stripe-url',
          'STRIPE_OWNER_URL cobro-postgres stripe-owner-url',
        ]),
        ...same('operations', known(named(all, 'CronJob', 'shop-cobro-operations')).length, 2),
        ...same('reconciliation', known(named(all, 'CronJob', 'shop-cobro-reconciliation')), []),
      ];
    },
  },
  {
    sentence: 'live cards do not go to the Stripe adapter in clear, and with TLS between our processes they do',
    check: (render) => [
      ...refused(render, { ...withStripe, set: { ...withStripe.set, ...live } }, 'bank.url has to be https'),
      ...refused(
        render,
        { ...withStripe, set: { ...withStripe.set, ...live, ...tls, 'services.stripe.env.STRIPE_URL': 'http://s' } },
        'STRIPE_URL of stripe has to be https',
      ),
      ...same(
        'with TLS',
        variable(
          named(
            render({
              ...withStripe,
              set: { ...withStripe.set, ...live, ...tls },
            }),
            'Deployment',
            'shop-cobro-payments',
          ),
          'BANK_URL',
        ),
        'https://shop-cobro-stripe:8080',
      ),
    ],
  },
];
