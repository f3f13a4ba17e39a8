import { fileURLToPath } from 'node:url';

const APPS = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Returns the path of the file that starts an app. If `QUARRY_SYSTEM_TEST_BUNDLES` is set, this is the entry of the
 * app's bundle, as in `npm start` and in the images. `npm test` writes the bundles and sets the variable.
 */
export function getAppEntry(app: string): string {
  return process.env['QUARRY_SYSTEM_TEST_BUNDLES'] === undefined
    ? getModuleEntry(app)
    : `${APPS}${app}/dist/bundle/main.js`;
}

/** Returns the path of the compiled file that starts an app without its bundle. */
export function getModuleEntry(app: string): string {
  return `${APPS}${app}/dist/main.js`;
}
