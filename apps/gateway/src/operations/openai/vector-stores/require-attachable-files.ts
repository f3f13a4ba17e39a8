import type { Caller } from '../../../access/caller.js';
import { createFieldProblem } from '../../../checks/field-problem.js';
import { requireFile } from '../../../files/file-repository.js';
import type { Gateway } from '../../../gateway.js';
import type { AttachedFile, FileAttributes } from '../../../vector-stores/attach-files.js';
import { parseIdField } from '../protocol/resource-ids.js';

interface FileReference {
  readonly file_id: string;
  readonly attributes?: FileAttributes;
}

/**
 * Finds the files whose ids a request contains.
 *
 * @param path the field of the request with the ids
 * @throws Problem 404 for a file that the caller cannot access, 400 for a text that is not an id or for a repeated file
 */
export async function requireAttachableFiles(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  caller: Caller,
  references: readonly FileReference[],
  path: string,
): Promise<readonly AttachedFile[]> {
  const now = clock();
  const found = new Map<string, AttachedFile>();
  for (const { file_id: text, attributes = null } of references) {
    const id = parseIdField('file', path, text);
    if (found.has(id)) throw createFieldProblem(path, `must contain each file once, found ${text} twice`);
    found.set(id, { file: await requireFile(db, caller, id, now), attributes });
  }
  return [...found.values()];
}
