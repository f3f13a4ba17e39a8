// Bundles the apps that npm scripts start. scripts/bundle-app.mjs writes each bundle.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getProjectNode, root, runStepOrExit } from './toolchain.mjs';

/** Lists the apps that have bundles. */
export const APPS = ['standalone', 'gateway', 'query', 'ingestion-worker', 'crawler', 'catalog-sync'];

/** Returns the path of the file that starts an app, relative to the repository. */
export function getBundleEntry(app) {
  return `apps/${app}/dist/bundle/main.js`;
}

/** Bundles each built app whose modules have changed since its last bundle. @param apps names of folders in `apps` */
export async function bundleApps(...apps) {
  for (const app of apps.filter((name) => !isCurrent(name)))
    await runStepOrExit(`Bundling ${app}`, [
      getProjectNode(),
      join(root, 'scripts', 'bundle-app.mjs'),
      root,
      `apps/${app}`,
    ]);
}

/** Returns true if no source of an app's bundle was changed or removed after the bundle was written. */
function isCurrent(app) {
  const list = join(root, 'apps', app, 'dist', 'bundle', 'sources.json');
  if (!existsSync(list)) return false;
  const { mtimeMs } = statSync(list);
  return JSON.parse(readFileSync(list, 'utf8')).every(
    (source) => (statSync(source, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= mtimeMs,
  );
}
