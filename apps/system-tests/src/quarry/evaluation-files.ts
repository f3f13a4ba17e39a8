import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Real files to try Quarry on, kept beside the repository and not in it. */
const FOLDER = fileURLToPath(new URL('../../../../../shared/eval/', import.meta.url));

export const evaluationFilesAreHere = existsSync(FOLDER);

/** For titles of suites that are skipped without them. */
export const EVALUATION_FILES = evaluationFilesAreHere
  ? ''
  : ' (skipped: the folder shared/eval beside the repository is absent)';

export function evaluationFile(path: string): Uint8Array {
  return readFileSync(`${FOLDER}${path}`);
}
