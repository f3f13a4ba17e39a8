import type { EvaluationSettings } from '@quarry/contracts';
import { and, desc, eq, getTableColumns, isNull, lt, notExists, sql, type SQL } from 'drizzle-orm';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { evaluationDatasets, evaluations, type EvaluationRow } from '../database/tables/evaluations.js';
import { organizations } from '../database/tables/organizations.js';
import type { PageRequest } from '../paging/pages.js';
import { problem } from '../problems.js';
import { findDataset, insertDataset, type NewDataset } from './dataset-repository.js';

/** Maximum number of stored evaluations per organization. */
const MAX_EVALUATIONS = 500;
/** Maximum number of evaluations per organization that have not ended. */
const MAX_IN_PROGRESS = 10;

/** An evaluation with the number of questions of its dataset. */
export type Evaluation = EvaluationRow & { readonly questions: number };

/** Describes a new evaluation. `dataset` is the id of a stored dataset, or a new dataset. */
export interface NewEvaluation {
  readonly name: string | undefined;
  readonly dataset: string | NewDataset;
  readonly datastoreId: string | null;
  readonly agentId: string | null;
  readonly settings: Pick<EvaluationSettings, keyof EvaluationSettings>;
}

const COLUMNS = { ...getTableColumns(evaluations), questions: evaluationDatasets.questions };

/**
 * Stores an evaluation, and its dataset if the dataset is new. A gateway runs the evaluation later.
 *
 * @param tx a transaction, so that both are stored or neither
 * @throws Problem 404 for an unknown dataset, 409 if the organization already has the maximum number of evaluations
 */
export async function insertEvaluation(
  tx: Queries,
  organizationId: string,
  { name, dataset, ...target }: NewEvaluation,
  now: Date,
): Promise<Evaluation> {
  await lockEvaluations(tx, organizationId);
  await requireEvaluationCapacity(tx, organizationId);
  const stored =
    typeof dataset === 'string'
      ? await findDataset(tx, organizationId, dataset)
      : await insertDataset(tx, organizationId, dataset);
  const owned = { id: newId(), organizationId, datasetId: stored.id, name: name ?? stored.name };
  const values = { ...owned, ...target, servedAt: now, createdAt: now };
  const [row] = await tx.insert(evaluations).values(values).returning();
  if (row === undefined) throw new Error('expected the inserted row of the evaluation, found none');
  return { ...row, questions: stored.questions };
}

/** Locks the organization, so that its evaluations are created and deleted one at a time. */
async function lockEvaluations(tx: Queries, organizationId: string): Promise<void> {
  await tx.select().from(organizations).where(eq(organizations.id, organizationId)).for('no key update');
}

async function requireEvaluationCapacity(tx: Queries, organizationId: string): Promise<void> {
  const isOwn = eq(evaluations.organizationId, organizationId);
  const inProgress = await tx.$count(evaluations, and(isOwn, isNull(evaluations.endedAt)));
  if (inProgress >= MAX_IN_PROGRESS) {
    throw problem(
      'too_many_evaluations',
      `An organization can have at most ${MAX_IN_PROGRESS} evaluations in progress, found ${inProgress}. Wait for one to end.`,
    );
  }
  const found = await tx.$count(evaluations, isOwn);
  if (found >= MAX_EVALUATIONS) {
    throw problem(
      'too_many_evaluations',
      `An organization can have at most ${MAX_EVALUATIONS} evaluations, found ${found}. Delete some of them.`,
    );
  }
}

/** Returns an evaluation of an organization. @throws Problem 404 if there is none */
export async function findEvaluation(db: Queries, organizationId: string, id: string): Promise<Evaluation> {
  const [row] = await selectEvaluations(db).where(buildIdCondition(organizationId, id));
  if (row === undefined) throw createNotFoundProblem('evaluation', id);
  return row;
}

/** Lists evaluations, newest first. @returns one row more than the page size if there are more evaluations */
export async function listEvaluations(
  db: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<readonly Evaluation[]> {
  const older = page.before === undefined ? undefined : lt(evaluations.id, page.before);
  return selectEvaluations(db)
    .where(and(eq(evaluations.organizationId, organizationId), older))
    .orderBy(desc(evaluations.id))
    .limit(page.limit + 1);
}

/**
 * Deletes an evaluation with its results. Deletes the dataset too if no other evaluation uses it.
 *
 * @throws Problem 404 if there is none
 */
export async function removeEvaluation(db: Queries, organizationId: string, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockEvaluations(tx, organizationId);
    const [removed] = await tx
      .delete(evaluations)
      .where(buildIdCondition(organizationId, id))
      .returning({ datasetId: evaluations.datasetId });
    if (removed === undefined) throw createNotFoundProblem('evaluation', id);
    const others = tx
      .select({ one: sql`1` })
      .from(evaluations)
      .where(eq(evaluations.datasetId, removed.datasetId));
    await tx.delete(evaluationDatasets).where(and(eq(evaluationDatasets.id, removed.datasetId), notExists(others)));
  });
}

// The return type is inferred, because Drizzle does not export it.
function selectEvaluations(db: Queries) {
  return db
    .select(COLUMNS)
    .from(evaluations)
    .innerJoin(evaluationDatasets, eq(evaluationDatasets.id, evaluations.datasetId));
}

function buildIdCondition(organizationId: string, id: string): SQL | undefined {
  return and(eq(evaluations.organizationId, organizationId), eq(evaluations.id, id));
}
