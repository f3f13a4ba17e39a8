import type { AnswerSource } from '@quarry/contracts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../../../database/database.js';
import { datasources } from '../../../database/tables/datasources.js';
import type { FileAttributes } from '../../../vector-stores/attach-files.js';
import { getFileId } from '../../../vector-stores/vector-store-files.js';
import { formatResourceId } from '../protocol/resource-ids.js';
import { selectAttributes } from '../vector-stores/vector-store-file-view.js';

/** The file that contains a passage that an answer cites. */
interface SourceFile {
  readonly id: string;
  readonly attributes: FileAttributes;
}

/**
 * Returns the file of a source. If the datasource of the source was deleted, the id of the file is the id of the
 * datasource.
 */
export type FindFile = (source: AnswerSource) => SourceFile;

/** An answer with a function that returns the file of each source. */
export type WithFiles<Answer> = Answer & { readonly findFile: FindFile };

/** Loads the files that contain the sources of an answer. */
export async function addSourceFiles<Answer extends { readonly sources: readonly AnswerSource[] }>(
  db: Queries,
  organizationId: string,
  answer: Answer,
): Promise<WithFiles<Answer>> {
  const files = await loadSourceFiles(
    db,
    organizationId,
    answer.sources.map(({ datasource_id: id }) => id),
  );
  const findFile: FindFile = ({ datasource_id: id }) =>
    files.get(id) ?? { id: formatResourceId('file', id), attributes: {} };
  return { ...answer, findFile };
}

async function loadSourceFiles(
  db: Queries,
  organizationId: string,
  datasourceIds: readonly string[],
): Promise<ReadonlyMap<string, SourceFile>> {
  if (datasourceIds.length === 0) return new Map();
  const { id, fileId, metadata } = datasources;
  const rows = await db
    .select({ id, fileId, metadata })
    .from(datasources)
    .where(and(eq(datasources.organizationId, organizationId), inArray(id, [...new Set(datasourceIds)])));
  return new Map(
    rows.map((row) => [
      row.id,
      { id: formatResourceId('file', getFileId(row)), attributes: selectAttributes(row.metadata) },
    ]),
  );
}
