import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest.js';

const K8S = fileURLToPath(new URL('../../../../k8s/', import.meta.url));

export const kubectlIsHere = spawnSync('kubectl', ['version', '--client']).status === 0;

/** For titles of suites that are skipped without it. */
export const KUBECTL = kubectlIsHere ? '' : ' (skipped: there is no kubectl on PATH)';

/** What `kubectl apply -k` would send. @param overlay a folder of `k8s/overlays` */
export function render(overlay: string): readonly Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', `${K8S}overlays/${overlay}`], { encoding: 'utf8' });
  // Each has been found to be what the API's own models describe by the tests of those models.
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}
