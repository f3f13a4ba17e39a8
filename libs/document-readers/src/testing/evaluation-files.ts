import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder with real files, which is optional and not part of the repository. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/eval');

export const hasEvaluationFiles = existsSync(join(FOLDER, 'files'));
/** Text for the titles of tests that need the files. States the folder of the files, or why the tests are skipped. */
export const EVALUATION_FILES_NOTE = hasEvaluationFiles
  ? 'in shared/eval'
  : 'skipped: the folder shared/eval beside the repository is absent';

/** Reads an evaluation file. @param path inside the folder, such as `files/docling__wiki.md` */
export function readEvaluationFile(path: string): Uint8Array {
  return readFileSync(join(FOLDER, path));
}
