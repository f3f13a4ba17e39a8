import { copyFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readManifest } from '../files/manifest.js';
import { MIME_TYPES } from '../files/mime-types.js';

/** What both sides have a loader for. */
const TYPES = new Set(['.pdf', '.docx', '.pptx', '.csv', '.md']);
const EXCLUDED = new Set([
  // An encoding that only Quarry detects.
  'unstructured__stanley-cups-utf-16.csv',
]);

export interface CorpusFile {
  readonly name: string;
  readonly path: string;
  readonly mimeType: string;
}

/**
 * Copies the manifest's files that have text, over and over under new names, until there are `count`.
 *
 * @param from holds `manifest.jsonl` @param to an empty folder
 */
export function makeCorpus(from: string, to: string, count: number): readonly CorpusFile[] {
  const files = (readManifest(from) ?? []).filter(
    ({ file, expect }) => expect === 'text' && TYPES.has(extname(file)) && !EXCLUDED.has(file),
  );
  if (files.length === 0) throw new Error(`files and a manifest.jsonl are expected in ${from}, found none`);
  return Array.from({ length: count }, (_, index) => {
    const file = files[index % files.length]?.file ?? '';
    const name = `${String(index).padStart(5, '0')}-${file}`;
    const path = join(to, name);
    copyFileSync(join(from, file), path);
    return { name, path, mimeType: MIME_TYPES[extname(file)] ?? '' };
  });
}
