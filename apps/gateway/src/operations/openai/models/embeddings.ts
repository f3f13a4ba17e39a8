import { endianness } from 'node:os';
import { type EmbeddingSettings, MAX_EMBEDDED_TEXTS } from '@quarry/contracts';
import type { Caller } from '../../../access/caller.js';
import { createFieldProblem } from '../../../checks/field-problem.js';
import { requireMaxCharacters } from '../../../checks/require-max-characters.js';
import type { Gateway } from '../../../gateway.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { createObjectSchema, describeJsonResponse } from '../../../http/responses.js';
import { withQueryReservation } from '../../../usage/with-query-reservation.js';
import { EmbeddingRequest, EmbeddingResponse } from './embedding-shapes.js';
import { describeOpenAiBody } from '../protocol/parameters.js';
import { createUnknownModelProblem } from '../answers/resolve-model.js';

/** Lists the operation that computes the vectors of texts. */
export const EMBEDDING_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createEmbedding',
    method: 'post',
    path: '/embeddings',
    tag: 'OpenAI-compatible',
    summary: 'Embed texts',
    description: 'Returns vectors as the fragments of new datastores have them. Counts as a datastore query.',
    scopes: ['query'],
    allowsOtherOrigins: true,
    isReadOnly: true,
    body: describeOpenAiBody(EmbeddingRequest, { inert: { user: 'any' }, check: requireValidTexts }),
    responses: { 200: describeJsonResponse('The vectors.', createObjectSchema(EmbeddingResponse)) },
    handle: async ({ gateway, caller, body, client, signal, log }) => {
      const embedding = requireEmbeddingSettings(gateway, caller, body);
      const request = { embedding, texts: listInputTexts(body) };
      const reservation = buildQueryReservation(gateway, caller);
      const { vectors, tokens } = await withQueryReservation(gateway, { reservation, client, log }, async () =>
        gateway.queryService.embed(request, signal),
      );
      const encode = body.encoding_format === 'base64' ? encodeBase64 : (vector: readonly number[]) => vector;
      return buildOkReply({
        object: 'list' as const,
        data: vectors.map((vector, index) => ({ object: 'embedding' as const, index, embedding: encode(vector) })),
        model: embedding.model,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      });
    },
  }),
];

function buildQueryReservation({ clock }: Gateway, { organizationId }: Caller) {
  return { organizationId, kind: 'datastoreQueries', askedAt: clock() } as const;
}

function listInputTexts({ input }: EmbeddingRequest): readonly string[] {
  return typeof input === 'string' ? [input] : input;
}

/** Refuses too many texts, and texts that are longer than a question may be. @throws Problem 400 */
function requireValidTexts(body: EmbeddingRequest, { limits }: Gateway): void {
  const texts = listInputTexts(body);
  if (texts.length > MAX_EMBEDDED_TEXTS)
    throw createFieldProblem('input', `must have at most ${MAX_EMBEDDED_TEXTS} texts, found ${texts.length}`);
  for (const [at, text] of texts.entries()) requireMaxCharacters(`input.${at}`, text, limits.queryCharacters);
}

/**
 * Returns the settings of the embedding model.
 *
 * @throws Problem 404 for any other model or a limited key, 400 for another number of dimensions
 */
function requireEmbeddingSettings(
  { embedding }: Gateway,
  { limits }: Caller,
  { model, dimensions }: EmbeddingRequest,
): EmbeddingSettings {
  // A key that is limited to certain agents or datastores cannot use a model directly.
  if (embedding === undefined || limits !== undefined || embedding.model !== model)
    throw createUnknownModelProblem(model);
  if (dimensions === undefined || dimensions === embedding.dimensions) return embedding;
  throw createFieldProblem(
    'dimensions',
    `must be ${embedding.dimensions}, the number of dimensions of the model, found ${dimensions}`,
  );
}

/** Encodes a vector as the SDKs of OpenAI decode it: base64 of little-endian 32-bit floating-point values. */
function encodeBase64(vector: readonly number[]): string {
  const bytes = Buffer.from(Float32Array.from(vector).buffer);
  return (endianness() === 'LE' ? bytes : bytes.swap32()).toString('base64');
}
