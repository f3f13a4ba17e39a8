import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What must come of a file. */
export type Expectation = 'text' | 'empty-or-ocr' | 'refuse' | 'refuse-or-password' | 'no-crash';

/** A line of the manifest, as far as it is used here. */
export interface FileCase {
  /** Its name in the folder. */
  readonly file: string;
  readonly expect: Expectation;
  /** What another parser finds in it; undefined where there is nothing to compare with. */
  readonly reference: string | undefined;
}

/** @param folder that holds `manifest.jsonl` @returns undefined when it is not there */
export function readManifest(folder: string): readonly FileCase[] | undefined {
  const path = join(folder, 'manifest.jsonl');
  if (!existsSync(path)) return undefined;
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => caseOf(JSON.parse(line) as ManifestLine, folder)); // the evaluation material is ours
}

interface ManifestLine {
  readonly file: string;
  readonly expect: Expectation;
  readonly expected_text: string | null;
}

function caseOf({ file, expect, expected_text }: ManifestLine, folder: string): FileCase {
  const reference = expected_text === null ? undefined : readFileSync(join(folder, expected_text), 'utf8');
  return { file, expect, reference };
}
