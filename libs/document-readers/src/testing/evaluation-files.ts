import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Optional real files next to the checkout. They are not part of the repository. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/eval');

export const hasEvaluationFiles = existsSync(join(FOLDER, 'files'));
export const EVALUATION_FILES_REQUIREMENT = 'needs ../shared/eval beside the repository';

/** @param path inside the folder, such as `files/docling__wiki.md` */
export function readEvaluationFile(path: string): Uint8Array {
  return readFileSync(join(FOLDER, path));
}
