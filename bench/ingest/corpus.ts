import { copyFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readFileCases } from '../files/file-cases.js';
import { MIME_TYPES } from '../files/mime-types.js';

/** File name extensions of the types that all compared programs can load. */
const TYPES = new Set(['.pdf', '.docx', '.pptx', '.csv', '.md']);
const EXCLUDED = new Set([
  // Only Quarry detects the encoding of this file.
  'unstructured__stanley-cups-utf-16.csv',
]);

export interface CorpusFile {
  readonly name: string;
  readonly path: string;
  readonly mimeType: string;
}

/**
 * Copies the files that contain text to the folder `to`, repeatedly and under new names, until it has `count` files.
 *
 * @param from folder of the files; if it has a `manifest.jsonl`, only the files are copied that it expects to have text
 * @param to empty folder for the copies
 */
export function copyFilesToCorpus(from: string, to: string, count: number): readonly CorpusFile[] {
  const files = listFileNames(from).filter((file) => TYPES.has(extname(file)) && !EXCLUDED.has(file));
  if (files.length === 0) throw new Error(`expected files of the types ${[...TYPES].join(' ')} in ${from}, found none`);
  return Array.from({ length: count }, (_, index) => {
    const file = files[index % files.length] ?? '';
    const name = `${String(index).padStart(5, '0')}-${file}`;
    const path = join(to, name);
    copyFileSync(join(from, file), path);
    return { name, path, mimeType: MIME_TYPES[extname(file)] ?? '' };
  });
}

function listFileNames(folder: string): readonly string[] {
  const manifest = readFileCases(folder);
  return manifest?.filter(({ expect }) => expect === 'text').map(({ file }) => file) ?? readdirSync(folder);
}
