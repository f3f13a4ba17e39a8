import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The built files of the console. */
export interface ConsoleFiles {
  readonly folder: string;
  /** The content of `index.html`. */
  readonly page: string;
  /** The paths of all other files, relative to `folder`, such as `assets/index-BODAd0-s.css` or a compressed copy. */
  readonly paths: ReadonlySet<string>;
}

/** Returns the folder into which the console is built. */
export function findConsoleFolder(): string {
  return join(dirname(require.resolve('@quarry/console/package.json')), 'dist', 'web');
}

/** Reads the list of the built files. Returns undefined if the console is not built. */
export function readConsoleFiles(folder: string): ConsoleFiles | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) =>
    join(parentPath, name)
      .slice(folder.length + 1)
      .replaceAll('\\', '/'),
  );
  return { folder, page: readFileSync(index, 'utf8'), paths: new Set(paths.filter(isServedConsoleFile)) };
}

function isServedConsoleFile(path: string): boolean {
  return path !== 'index.html' && !path.startsWith('.');
}
