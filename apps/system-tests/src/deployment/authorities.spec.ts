import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Manifest, SecretParameter } from './manifest.js';
import { findManifestTypeErrors, findSchemaProblem } from './manifest-type-errors.js';
import { SKIP_NOTE, canRender, renderOverlay, renderWithComponent } from './render.js';
import { READERS } from './environment-readers.js';

/** Returns the parameters that a TriggerAuthentication of KEDA reads from secrets. */
function listSecretParameters(manifests: readonly Manifest[], name: string): readonly SecretParameter[] {
  const found = manifests.find(({ kind, metadata }) => kind === 'TriggerAuthentication' && metadata.name === name);
  return found?.spec.secretTargetRef ?? [];
}

describe.runIf(canRender).each(['dev', 'prod'])(
  `the manifests of %s with private certificate authorities${SKIP_NOTE}`,
  (overlay) => {
    let manifests: readonly Manifest[];
    beforeAll(() => {
      manifests = renderWithComponent(overlay, 'authorities');
    });

    it('manifests with private certificate authorities conform to the schemas of the Kubernetes API', async () => {
      expect(findManifestTypeErrors(manifests)).toEqual([]);
      const problems = await Promise.all(manifests.map(findSchemaProblem));
      expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    });

    it('KEDA verifies the certificate of Redis with the certificate authorities in the secret `quarry-authorities`', () => {
      const parameters = listSecretParameters(manifests, 'quarry-queue');
      expect(parameters.map(({ parameter }) => parameter)).toEqual(['address', 'password', 'tls', 'ca']);
      expect(parameters.at(-1)).toEqual({ parameter: 'ca', name: 'quarry-authorities', key: 'ca.pem' });
    });

    it.each(Object.keys(READERS))(
      'manifests with private certificate authorities mount the certificates in the pods of %s, and keep the other variables and volumes of these pods',
      (name) => {
        const deployment = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
        const pod = deployment?.spec.template?.spec;
        const { env = [], volumeMounts = [] } = pod?.containers[0] ?? {};
        const file = env.find((variable) => variable.name === 'NODE_EXTRA_CA_CERTS')?.value ?? '';
        const mounted = volumeMounts.find(({ mountPath }) => mountPath === dirname(file));
        expect(pod?.volumes.find((volume) => volume.name === mounted?.name)?.secret?.secretName).toBe(
          'quarry-authorities',
        );
        expect(env.length).toBeGreaterThan(3);
        expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/tmp');
      },
    );
  },
);

describe.runIf(canRender).each(['dev', 'prod'])(`the address of PostgreSQL for KEDA in %s${SKIP_NOTE}`, (overlay) => {
  const buildParameters = (key: string): readonly SecretParameter[] => [
    { parameter: 'connection', name: 'quarry-database', key },
  ];

  it('KEDA reads the address of PostgreSQL from the key `url` of a secret, or from the key `scaler-url` if the component scaler-url is added', async () => {
    expect(listSecretParameters(renderOverlay(overlay), 'quarry-database')).toEqual(buildParameters('url'));
    const manifests = renderWithComponent(overlay, 'scaler-url');
    expect(listSecretParameters(manifests, 'quarry-database')).toEqual(buildParameters('scaler-url'));
    expect(findManifestTypeErrors(manifests)).toEqual([]);
    const problems = await Promise.all(manifests.map(findSchemaProblem));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });
});
