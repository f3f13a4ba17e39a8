import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Real files that stand beside a checkout, where somebody put them. They are not part of the repository. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/eval');

export const evaluationFilesAreHere = existsSync(join(FOLDER, 'files'));
export const WHERE_EVALUATION_FILES_BELONG = 'needs ../shared/eval beside the repository';

/** @param path inside the folder, such as `files/docling__wiki.md` */
export function evaluationFile(path: string): Uint8Array {
  return readFileSync(join(FOLDER, path));
}
