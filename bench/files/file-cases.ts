import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The expected outcome of reading a file. `empty-or-ocr`: no text without OCR. `refuse`: an error with a code.
 * `refuse-or-password`: the error `file_encrypted`. `no-crash`: anything but an unexpected failure.
 */
export type Expectation = 'text' | 'empty-or-ocr' | 'refuse' | 'refuse-or-password' | 'no-crash';

/** The fields of a line of `manifest.jsonl` that the benchmark reads. */
export interface FileCase {
  /** Name of the file in the folder that contains `manifest.jsonl`. */
  readonly file: string;
  readonly expect: Expectation;
  /** Text that a parser other than Quarry extracted from the file; undefined if the manifest names none. */
  readonly reference: string | undefined;
}

/** Reads the file `manifest.jsonl` in a folder. @returns undefined if the folder has none */
export function readFileCases(folder: string): readonly FileCase[] | undefined {
  const path = join(folder, 'manifest.jsonl');
  if (!existsSync(path)) return undefined;
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => createFileCase(JSON.parse(line) as ManifestLine, folder)); // the manifest of our evaluation files
}

interface ManifestLine {
  readonly file: string;
  readonly expect: Expectation;
  readonly expected_text: string | null;
}

function createFileCase({ file, expect, expected_text }: ManifestLine, folder: string): FileCase {
  const reference = expected_text === null ? undefined : readFileSync(join(folder, expected_text), 'utf8');
  return { file, expect, reference };
}
