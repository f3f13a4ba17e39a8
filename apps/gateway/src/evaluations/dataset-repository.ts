import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import {
  evaluationDatasets,
  evaluationQuestions,
  evaluations,
  type StoredQuestion,
} from '../database/tables/evaluations.js';
import type { PageRequest } from '../paging/pages.js';

/** Maximum number of questions per insertion, because PostgreSQL limits a statement to 65,535 parameters. */
const MAX_ROWS = 5_000;
const DEFAULT_NAME = 'Evaluation';

type Dataset = typeof evaluationDatasets.$inferSelect;

export interface NewDataset {
  readonly name: string | undefined;
  readonly questions: readonly StoredQuestion[];
}

/** Returns a dataset of an organization. @throws Problem 404 if there is none */
export async function findDataset(tx: Queries, organizationId: string, id: string): Promise<Dataset> {
  const known = parseResourceId('dataset', id);
  const isThis = and(eq(evaluationDatasets.organizationId, organizationId), eq(evaluationDatasets.id, known));
  const [row] = await tx.select().from(evaluationDatasets).where(isThis);
  if (row === undefined) throw createNotFoundProblem('dataset', id);
  return row;
}

/** Stores a dataset with its questions. @param tx a transaction, so that both are stored or neither */
export async function insertDataset(
  tx: Queries,
  organizationId: string,
  { name = DEFAULT_NAME, questions }: NewDataset,
): Promise<Dataset> {
  const values = { id: newId(), organizationId, name, questions: questions.length };
  const [dataset] = await tx.insert(evaluationDatasets).values(values).returning();
  if (dataset === undefined) throw new Error('expected the inserted row of the dataset, found none');
  const rows = questions.map((question, index) => ({ datasetId: dataset.id, position: index + 1, question }));
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    await tx.insert(evaluationQuestions).values(rows.slice(start, start + MAX_ROWS));
  }
  return dataset;
}

/** A dataset with the number of its evaluations and the id of the newest evaluation. */
export type ListedDataset = Dataset & { readonly evaluations: number; readonly newestEvaluationId: string | null };

const OF_DATASET = sql`from ${evaluations} used where used.dataset_id = ${evaluationDatasets}.id`;

/** Lists datasets, newest first. @returns one row more than the page size if there are more datasets */
export async function listDatasets(
  db: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<readonly ListedDataset[]> {
  const older = page.before === undefined ? undefined : lt(evaluationDatasets.id, page.before);
  return db
    .select({
      ...getTableColumns(evaluationDatasets),
      evaluations: sql<number>`(select count(*)::int ${OF_DATASET})`,
      newestEvaluationId: sql<string | null>`(select used.id ${OF_DATASET} order by used.id desc limit 1)`,
    })
    .from(evaluationDatasets)
    .where(and(eq(evaluationDatasets.organizationId, organizationId), older))
    .orderBy(desc(evaluationDatasets.id))
    .limit(page.limit + 1);
}
