import { beforeAll, describe, expect, it } from 'vitest';
import { arrows } from './arrows.js';
import type { Manifest } from './manifest.js';
import { KUBECTL, kubectlIsHere, render } from './render.js';

/** The arrows of the design, and what each overlay adds. */
const OUT = [
  'catalog-sync -> internet',
  'catalog-sync -> quarry-servers/redis',
  'catalog-sync -> quarry-servers/s3',
  'crawler -> internet',
  'crawler -> quarry-servers/redis',
  'crawler -> quarry-servers/s3',
  'gateway -> internet:80,443',
  'gateway -> quarry-servers/postgresql',
  'gateway -> quarry-servers/redis',
  'gateway -> quarry-servers/s3',
  'gateway -> query:http',
  'ingestion-worker -> gateway:http',
  'ingestion-worker -> quarry-servers/embedder',
  'ingestion-worker -> quarry-servers/qdrant',
  'ingestion-worker -> quarry-servers/redis',
  'ingestion-worker -> quarry-servers/s3',
  'quarry -> kube-system/kube-dns:53',
  'quarry -> monitoring/opentelemetry-collector:4318',
  'query -> internet:443',
  'query -> quarry-servers/embedder',
  'query -> quarry-servers/qdrant',
];
const IN = [
  'gateway -> query:http',
  'ingestion-worker -> gateway:http',
  'monitoring/* -> quarry:http',
  'true/* -> gateway:http', // of a namespace that is labelled as the edge
];
const ADDED: Readonly<Record<string, readonly string[]>> = {
  dev: [],
  prod: ['ingestion-worker -> 192.0.2.0/24:443'], // the embedder outside the cluster
};
const PRIVATE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
];

describe.runIf(kubectlIsHere).each(['dev', 'prod'])(`the network of %s${KUBECTL}`, (overlay) => {
  let manifests: readonly Manifest[];
  const of = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  beforeAll(() => {
    manifests = render(overlay);
  });

  it('lets nothing pass that no policy allows', () => {
    const everyPod = of('NetworkPolicy').filter(({ spec }) => Object.keys(spec.podSelector ?? {}).length === 0);
    expect(everyPod.map(({ spec }) => spec)).toEqual([{ podSelector: {}, policyTypes: ['Ingress', 'Egress'] }]);
  });

  it('has the arrows of the design and no other', () => {
    const found = arrows(of('NetworkPolicy'));
    expect(found.out).toEqual([...OUT, ...(ADDED[overlay] ?? [])].sort());
    expect(found.in).toEqual(IN);
  });

  it('keeps the private ranges from whoever may reach the internet', () => {
    const blocks = of('NetworkPolicy').flatMap(({ spec }) =>
      (spec.egress ?? []).flatMap(({ to = [] }) =>
        to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock])),
      ),
    );
    const open = blocks.filter(({ cidr }) => cidr === '0.0.0.0/0');
    expect(open).toHaveLength(3);
    for (const { except } of open) expect(except).toEqual(expect.arrayContaining(PRIVATE));
  });

  it('shows outside what is public, and cuts no answer short', () => {
    const [ingress, route] = [of('Ingress')[0], of('HTTPRoute')[0]];
    expect([ingress, route].filter((edge) => edge !== undefined)).toHaveLength(1);
    const rules = (ingress ?? route)?.spec.rules ?? [];
    const paths = rules.flatMap(({ http, matches = [] }) => [
      ...(http?.paths ?? []).map(({ path }) => path),
      ...matches.map(({ path }) => path.value),
    ]);
    expect(paths).toEqual(['/api', '/docs', '/openapi.json']);
    expect((ingress ?? route)?.metadata.annotations).toBeUndefined();
    if (ingress !== undefined) expect(ingress.spec.ingressClassName).toMatch(/^\w+$/);
    expect(rules.map(({ timeouts }) => timeouts?.request)).toEqual([route === undefined ? undefined : '0s']);
  });
});
