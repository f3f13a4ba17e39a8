import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { openDocumentReader } from '@quarry/document-readers';
import { readWorkerSettings } from '@quarry/ingestion-worker';
import { MIME_TYPES } from '../files/mime-types.js';
import type { FileRead } from './comparison.js';

const TIMES = 5;

/**
 * Reads each file several times with Quarry's reader, and keeps the minimum time. All files are read in the same
 * process, as in a worker that has been running for some time.
 */
export async function readWithQuarry(folders: readonly string[]): Promise<FileRead[]> {
  const reader = openDocumentReader({ ...readWorkerSettings({}).reading, processes: 1 });
  const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => ({ name, path: join(folder, name) })));
  const results: FileRead[] = [];
  for (const { name, path } of paths) {
    const mimeType = MIME_TYPES[extname(name)];
    if (mimeType === undefined) continue;
    const file = { mimeType, name, nameIsFileName: true };
    const read = { type: extname(name).slice(1), file: name };
    let ms = Infinity;
    try {
      let text = '';
      for (let time = 0; time < TIMES; time += 1) {
        const begun = performance.now();
        const fragments = await reader.read({ path, file, splitting: { maxTokens: 512, overlapTokens: 64 } });
        ms = Math.min(ms, performance.now() - begun);
        text = fragments.map((fragment) => fragment.text.slice(fragment.repeated)).join('\n');
      }
      results.push({ ...read, ms, text });
    } catch {
      results.push(read);
    }
  }
  await reader.close();
  return results;
}
