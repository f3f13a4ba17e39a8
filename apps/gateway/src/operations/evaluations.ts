import {
  CompareEvaluationsQuery,
  CreateEvaluationRequest,
  EvaluationComparison,
  EvaluationDatasetResponse,
  EvaluationQuestionResponse,
  EvaluationResponse,
  PageQuery,
} from '@quarry/contracts';
import { parseResourceId } from '../checks/parse-resource-id.js';
import { compareEvaluations } from '../evaluations/compare-evaluations.js';
import { listDatasets } from '../evaluations/dataset-repository.js';
import { cancelEvaluation } from '../evaluations/end-evaluation.js';
import {
  findEvaluation,
  insertEvaluation,
  listEvaluations,
  removeEvaluation,
} from '../evaluations/evaluation-repository.js';
import {
  buildDatasetResponse,
  buildEvaluationResponse,
  buildQuestionResponses,
} from '../evaluations/evaluation-view.js';
import { buildNewEvaluation, requireValidEvaluation } from '../evaluations/new-evaluation.js';
import { listQuestionsWithResults } from '../evaluations/result-repository.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildCreatedReply, buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import {
  createObjectSchema,
  createPageSchema,
  DELETED,
  describeCreatedResponse,
  describeJsonResponse,
} from '../http/responses.js';
import { buildPage, parsePageRequest } from '../paging/pages.js';
import { buildPositionPage, parsePositionPageRequest } from '../paging/position-pages.js';

const RUNS = `Sends each question of a dataset to a datastore or an agent, and measures the results. A dataset is sent in \`dataset\` once. Later evaluations refer to it by \`datasetId\`. It is deleted with its last evaluation.

The evaluation runs in the background, and resumes after a restart. The evaluations of an organization run one after the other. At most 10 can be in progress.

Each question counts as a query of the organization. Questions to agents are not stored as conversations. A question that fails is repeated up to three times if the failure is temporary. Then the evaluation continues with the next one. The evaluation stops with the status \`error\` at the usage limit, if the datastore or agent was deleted, or if the model is not configured.`;

const COMPARISON = `Compares two evaluations of the same dataset, question by question. Only questions that ended without an error in both are compared.

For each measure, \`better\`, \`worse\` and \`equal\` count the questions. The verdict is that of a two-sided paired randomization test on the mean difference at the level 0.05, with 2,000 random permutations of the signs. Its random numbers are always the same, so that the same evaluations have the same verdict.

The verdicts of single measures are not corrected for their number. \`verdict\` is that of one measure, \`decidedBy\`.`;

/**
 * Lists the operations on evaluations. An evaluation shows names and addresses of documents, so limited API keys are refused.
 */
export const EVALUATION_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createEvaluation',
    method: 'post',
    path: '/evaluations',
    tag: 'Evaluations',
    summary: 'Start an evaluation',
    description: RUNS,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: describeJsonBody(CreateEvaluationRequest, {
      unknownFields: 'refuse',
      check: requireValidEvaluation,
      maxBytes: 'evaluationBytes',
    }),
    idempotency: 'transaction',
    responses: { 201: describeCreatedResponse('The new evaluation.', EvaluationResponse) },
    problems: ['not_found', 'too_many_evaluations'],
    handle: async ({ gateway, caller, body, runOnce }) => {
      const reply = await runOnce(async (tx) => {
        const made = await buildNewEvaluation({ db: tx, limits: gateway.limits }, caller, body);
        const evaluation = await insertEvaluation(tx, caller.organizationId, made, gateway.clock());
        return buildCreatedReply(`/evaluations/${evaluation.id}`, buildEvaluationResponse(evaluation));
      });
      gateway.evaluationsDue.wake();
      return reply;
    },
  }),

  defineOperation({
    id: 'listEvaluations',
    method: 'get',
    path: '/evaluations',
    tag: 'Evaluations',
    summary: 'List evaluations',
    description: 'Sorted by creation time, newest first.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of evaluations.', createPageSchema(EvaluationResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = parsePageRequest(query);
      return buildOkReply(
        buildPage(await listEvaluations(gateway.db, caller.organizationId, page), page, buildEvaluationResponse),
      );
    },
  }),

  defineOperation({
    id: 'listEvaluationDatasets',
    method: 'get',
    path: '/evaluation-datasets',
    tag: 'Evaluations',
    summary: 'List the datasets of evaluations',
    description: 'Sorted by creation time, newest first. A dataset is deleted with its last evaluation.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of datasets.', createPageSchema(EvaluationDatasetResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = parsePageRequest(query);
      return buildOkReply(
        buildPage(await listDatasets(gateway.db, caller.organizationId, page), page, buildDatasetResponse),
      );
    },
  }),

  defineOperation({
    id: 'getEvaluation',
    method: 'get',
    path: '/evaluations/{id}',
    tag: 'Evaluations',
    summary: 'Get an evaluation',
    description:
      'The fields `questions`, `ended` and `failed` show the progress. `metrics` contains the measures after the end.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'evaluation' },
    responses: { 200: describeJsonResponse('The evaluation.', createObjectSchema(EvaluationResponse)) },
    handle: async ({ gateway, caller, params }) =>
      buildOkReply(buildEvaluationResponse(await findEvaluation(gateway.db, caller.organizationId, params.id))),
  }),

  defineOperation({
    id: 'listEvaluationQuestions',
    method: 'get',
    path: '/evaluations/{id}/questions',
    tag: 'Evaluations',
    summary: 'List the questions of an evaluation',
    description: 'In the order of the dataset, each with its measures, its results, and its answer or error.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'evaluation' },
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of questions.', createPageSchema(EvaluationQuestionResponse)) },
    handle: async ({ gateway: { db }, caller: { organizationId }, params, query, apiUrl }) => {
      const page = parsePositionPageRequest(query);
      const evaluation = await findEvaluation(db, organizationId, params.id);
      const { items, ...rest } = buildPositionPage(
        await listQuestionsWithResults(db, evaluation, page.after, page.limit + 1),
        page,
      );
      return buildOkReply({ items: await buildQuestionResponses(db, organizationId, items, apiUrl), ...rest });
    },
  }),

  defineOperation({
    id: 'cancelEvaluation',
    method: 'post',
    path: '/evaluations/{id}/cancel',
    tag: 'Evaluations',
    summary: 'Cancel an evaluation',
    description: 'The questions that have ended are kept, and `metrics` contains their measures.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'evaluation' },
    responses: { 200: describeJsonResponse('The cancelled evaluation.', createObjectSchema(EvaluationResponse)) },
    problems: ['nothing_to_cancel'],
    handle: async ({ gateway: { db, clock }, caller: { organizationId }, params: { id } }) => {
      await cancelEvaluation(db, { organizationId, id }, clock());
      return buildOkReply(buildEvaluationResponse(await findEvaluation(db, organizationId, id)));
    },
  }),

  defineOperation({
    id: 'compareEvaluations',
    method: 'get',
    path: '/evaluations/{id}/compare',
    tag: 'Evaluations',
    summary: 'Compare two evaluations',
    description: COMPARISON,
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'evaluation' },
    query: CompareEvaluationsQuery,
    responses: { 200: describeJsonResponse('The comparison.', createObjectSchema(EvaluationComparison)) },
    problems: ['evaluations_not_comparable'],
    handle: async ({ gateway: { db }, caller: { organizationId }, params, query }) => {
      const one = await findEvaluation(db, organizationId, params.id);
      const other = await findEvaluation(db, organizationId, parseResourceId('evaluation', query.with));
      return buildOkReply(await compareEvaluations(db, one, other));
    },
  }),

  defineOperation({
    id: 'deleteEvaluation',
    method: 'delete',
    path: '/evaluations/{id}',
    tag: 'Evaluations',
    summary: 'Delete an evaluation',
    description:
      'Also deletes its results, and its dataset if no other evaluation uses it. An evaluation in progress stops.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'evaluation' },
    responses: { 204: DELETED },
    handle: async ({ gateway, caller, params }) => {
      await removeEvaluation(gateway.db, caller.organizationId, params.id);
      return buildEmptyReply();
    },
  }),
];
