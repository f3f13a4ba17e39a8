import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Sizes of a built front end, compressed with gzip, in bytes. */
export interface Sizes {
  /** Size of the JavaScript that the page and its first screen load. */
  readonly firstLoad: number;
  /** Size of all JavaScript and all styles. */
  readonly all: number;
}

/** A chunk in the manifest of Vite: https://vite.dev/guide/backend-integration */
interface Chunk {
  readonly file: string;
  /** Names of the chunks that this chunk imports statically, so that browsers load them together with it. */
  readonly imports?: readonly string[];
}

/**
 * Measures a build of Vite that contains a manifest and compressed copies of its files.
 *
 * @param entries the names of the page and of its first screen in the manifest
 */
export function measureBuildSizes(folder: string, entries: readonly string[]): Sizes {
  // Vite writes the manifest in this form.
  const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const chunks = new Map<string, Chunk>();
  const addChunk = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`expected the chunk ${name} in the manifest of ${folder}, found none`);
    if (chunks.has(name)) return;
    chunks.set(name, chunk);
    for (const imported of chunk.imports ?? []) addChunk(imported);
  };
  for (const entry of entries) addChunk(entry);
  const files = readdirSync(join(folder, 'assets')).filter((file) => /\.(js|css)\.gz$/.test(file));
  return {
    firstLoad: sumFileSizes([...chunks.values()].map(({ file }) => join(folder, `${file}.gz`))),
    all: sumFileSizes(files.map((file) => join(folder, 'assets', file))),
  };
}

function sumFileSizes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
