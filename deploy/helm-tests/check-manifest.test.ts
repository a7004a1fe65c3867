import { describe, expect, test } from '@jest/globals';
import { checkManifest, type Manifest } from './check-manifest.ts';

const service = (change: object): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'shop' },
  spec: { ports: [{ port: 80, targetPort: 'http', ...change }] },
});

describe('checkManifest', () => {
  test('finds nothing in what Kubernetes takes', () => {
    expect(checkManifest(service({}))).toEqual([]);
  });

  test.each([
    [{ prot: 'TCP' }, 'Service/shop.spec.ports[0]: unknown field prot'],
    [{ port: '80' }, 'Service/shop.spec.ports[0].port: string, not integer'],
    [{ targetPort: true }, 'Service/shop.spec.ports[0].targetPort: boolean, not integer or string'],
    [{ name: null }, 'Service/shop.spec.ports[0].name: null'],
  ])('says of %j: %s', (change, sentence) => {
    expect(checkManifest(service(change))).toEqual([sentence]);
  });

  test('names a field that has to be there', () => {
    const manifest = { ...service({}), spec: { ports: [{ name: 'http' }] } };
    expect(checkManifest(manifest)).toEqual(['Service/shop.spec.ports[0]: port is missing']);
  });

  test('does not let an object pass of which it has no schema', () => {
    const [sentence] = checkManifest({ apiVersion: 'v9', kind: 'Service', metadata: { name: 'shop' } });
    expect(sentence).toMatch(/there is no schema of v9 Service/);
  });

  test('looks into custom resources too', () => {
    const scaled = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name: 'shop' } };
    expect(
      checkManifest({ ...scaled, spec: { scaleTargetRef: { name: 'shop' }, triggers: [], minReplicas: 1 } }),
    ).toEqual(['ScaledObject/shop.spec: unknown field minReplicas']);
  });
});
