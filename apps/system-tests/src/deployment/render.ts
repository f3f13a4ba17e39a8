import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest.js';

const K8S = fileURLToPath(new URL('../../../../k8s/', import.meta.url));

const RENDERERS = [
  { probe: ['kubectl', 'version', '--client'], command: ['kubectl', 'kustomize'] },
  { probe: ['kustomize', 'version'], command: ['kustomize', 'build'] },
];
const renderer = RENDERERS.find(({ probe: [program = '', ...args] }) => spawnSync(program, args).status === 0);

export const canRender = renderer !== undefined;

/** Suffix for the titles of suites that render manifests: empty, or the reason why they are skipped. */
export const SKIP_NOTE = canRender ? '' : ' (skipped: there is no kubectl and no kustomize on PATH)';

/** Test values of the settings that an operator enters in `cluster.env` of the overlay `prod`. */
export const CLUSTER: Readonly<Record<string, string>> = {
  REGISTRY: 'registry.test/quarry',
  HOST: 'quarry.test',
  GATEWAY: 'edge',
  GATEWAY_NAMESPACE: 'edge',
  BLOB_URL: 's3://test/uploads',
  S3_CIDR: '10.20.30.0/24',
  CONTACT: 'https://quarry.test/bot',
};

/**
 * Renders an overlay to the manifests that `kubectl apply -k` would send, with the test values of `CLUSTER`.
 *
 * @param overlay name of a folder in `k8s/overlays`
 */
export function renderOverlay(overlay: string): readonly Manifest[] {
  return runWithCopyOfManifests((folder) => renderManifestsOfFolder(join(folder, 'overlays', overlay)));
}

/** Renders an overlay together with an optional component. @param component name of a folder in `k8s/components` */
export function renderWithComponent(overlay: string, component: string): readonly Manifest[] {
  return runWithCopyOfManifests((folder) => {
    const kustomization = { resources: [`../overlays/${overlay}`], components: [`../components/${component}`] };
    writeFileSync(join(folder, 'values', 'kustomization.yaml'), JSON.stringify(kustomization));
    return renderManifestsOfFolder(join(folder, 'values'));
  });
}

/**
 * Renders the overlay `prod` with these settings in `cluster.env`.
 *
 * @throws Error with the output of the renderer if it fails
 */
export function renderProdWithSettings(cluster: Readonly<Record<string, string>>): readonly Manifest[] {
  return runWithCopyOfManifests((folder) => renderManifestsOfFolder(join(folder, 'overlays', 'prod')), cluster);
}

/**
 * Renders the overlay `prod` with the unconfigured `cluster.env` of the repository.
 *
 * @throws Error with the output of the renderer if it fails
 */
export function renderUnconfiguredProd(): readonly Manifest[] {
  return renderManifestsOfFolder(`${K8S}overlays/prod`);
}

function runWithCopyOfManifests<T>(use: (folder: string) => T, cluster = CLUSTER): T {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-k8s-'));
  try {
    cpSync(K8S, folder, { recursive: true });
    const lines = Object.entries(cluster).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, 'overlays', 'prod', 'cluster.env'), lines.join(''));
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function renderManifestsOfFolder(folder: string): readonly Manifest[] {
  const [program = '', ...args] = renderer?.command ?? [];
  const text = execFileSync(program, [...args, folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  // manifests.spec.ts validates each manifest against the models of the Kubernetes API.
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}
