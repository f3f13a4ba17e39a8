import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { VERSION } from '@quarry/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Manifest, Spec } from './manifest.js';
import {
  CLUSTER,
  canRender,
  renderOverlay,
  SKIP_NOTE,
  renderProdWithSettings,
  renderUnconfiguredProd,
} from './render.js';
import { READERS } from './environment-readers.js';

const FILE = fileURLToPath(new URL('../../../../k8s/overlays/prod/cluster.env', import.meta.url));
/** Settings in `cluster.env` of the overlay `prod`, with their values, including those that are commented out. */
const prepared = parseEnv(readFileSync(FILE, 'utf8').replace(/^# (?=[A-Z0-9_]+=)/gm, ''));

describe.runIf(canRender)(`the overlay prod${SKIP_NOTE}`, () => {
  it('the overlay prod cannot be rendered before the settings in `cluster.env` are configured', () => {
    expect(() => renderUnconfiguredProd()).toThrow(/fieldPath `data\.REGISTRY` is missing/);
  });

  it.each(Object.keys(CLUSTER))(
    'the overlay prod cannot be rendered without the setting %s, and the error names this setting',
    (name) => {
      const others = Object.entries(CLUSTER).filter(([other]) => other !== name);
      expect(() => renderProdWithSettings(Object.fromEntries(others))).toThrow(`fieldPath \`data.${name}\` is missing`);
    },
  );

  it('the file `cluster.env` lists exactly the settings that the overlay prod needs', () => {
    expect(Object.keys(prepared).toSorted()).toEqual(Object.keys(CLUSTER).toSorted());
  });

  describe('a configured cluster', () => {
    let manifests: readonly Manifest[];
    const getSpec = (kind: string, name: string): Spec => {
      const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
      if (found === undefined) throw new Error(`expected a ${kind} named ${name}, found none`);
      return found.spec;
    };
    beforeAll(() => {
      manifests = renderOverlay('prod');
    });

    it('a configured overlay prod pulls the images of the five services from the registry', () => {
      const images = manifests
        .filter(({ kind }) => kind === 'Deployment')
        .flatMap(({ spec }) => spec.template?.spec.containers.map(({ image }) => image) ?? []);
      const expected = Object.keys(READERS).map((name) => `registry.test/quarry/${name}:${VERSION}`);
      expect(images.toSorted()).toEqual(expected.toSorted());
    });

    it('a configured overlay prod routes the host name in `HOST` through the Gateway in `GATEWAY`', () => {
      const { hostnames, parentRefs } = getSpec('HTTPRoute', 'quarry');
      expect(hostnames).toEqual([CLUSTER['HOST']]);
      expect(parentRefs).toMatchObject([{ name: CLUSTER['GATEWAY'], namespace: CLUSTER['GATEWAY_NAMESPACE'] }]);
    });

    it('a configured overlay prod sets the URL of the blob store, and the contact address of the crawler and the catalogue sync', () => {
      const settings = manifests.find(
        ({ kind, data }) => kind === 'ConfigMap' && data?.['QUARRY_BLOB_URL'] !== undefined,
      );
      expect(settings?.data).toMatchObject({
        QUARRY_BLOB_URL: CLUSTER['BLOB_URL'],
        QUARRY_CRAWLER_CONTACT: CLUSTER['CONTACT'],
        QUARRY_CATALOG_CONTACT: CLUSTER['CONTACT'],
      });
    });

    it('a configured overlay prod lets the ingestion worker connect outside the cluster only to the addresses in `S3_CIDR`', () => {
      const { egress = [] } = getSpec('NetworkPolicy', 'ingestion-worker-outside');
      const ranges = egress.flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock?.cidr));
      expect(ranges).toEqual([CLUSTER['S3_CIDR']]);
    });

    it('a configured overlay prod omits the ConfigMap `cluster`, which contains only the values of `cluster.env`', () => {
      expect(manifests.map(({ metadata }) => metadata.name)).not.toContain('cluster');
    });
  });
});
