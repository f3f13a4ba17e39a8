import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest.js';

const K8S = fileURLToPath(new URL('../../../../k8s/', import.meta.url));

export const kubectlIsHere = spawnSync('kubectl', ['version', '--client']).status === 0;

/** For titles of suites that are skipped without it. */
export const KUBECTL = kubectlIsHere ? '' : ' (skipped: there is no kubectl on PATH)';

/** What `kubectl apply -k` would send. @param overlay a folder of `k8s/overlays` */
export function render(overlay: string): readonly Manifest[] {
  return renderFolder(`${K8S}overlays/${overlay}`);
}

/** The same with a component that the overlay does not have. @param component a folder of `k8s/components` */
export function renderWith(overlay: string, component: string): readonly Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-overlay-'));
  const at = relative(folder, K8S);
  const kustomization = { resources: [`${at}/overlays/${overlay}`], components: [`${at}/components/${component}`] };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  try {
    return renderFolder(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function renderFolder(folder: string): readonly Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  // Each has been found to be what the API's own models describe by the tests of those models.
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}
