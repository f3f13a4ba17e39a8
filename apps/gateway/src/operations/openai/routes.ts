import { rejectUnknownRoute } from '@quarry/service-kit';
import type { ApiRoutes } from '../../http/api-router.js';
import type { Operation } from '../../http/declaration.js';
import { CHAT_OPERATIONS } from './chat/chat-completions.js';
import { EMBEDDING_OPERATIONS } from './models/embeddings.js';
import { FILE_BATCH_OPERATIONS } from './vector-stores/file-batches.js';
import { FILE_OPERATIONS } from './files/files.js';
import { RESPONSE_OPERATIONS } from './responses/responses.js';
import { INPUT_OPERATIONS } from './responses/input-tokens.js';
import { sendOpenAiErrors } from './protocol/send-errors.js';
import { MODEL_OPERATIONS } from './models/models.js';
import { UPLOAD_OPERATIONS } from './uploads/uploads.js';
import { VECTOR_STORE_FILE_OPERATIONS } from './vector-stores/vector-store-files.js';
import { VECTOR_STORE_SEARCH_OPERATIONS } from './vector-stores/vector-store-search.js';
import { VECTOR_STORE_OPERATIONS } from './vector-stores/vector-stores.js';

/** Lists every operation of the OpenAI-compatible API. */
export const OPENAI_OPERATIONS: readonly Operation[] = [
  ...MODEL_OPERATIONS,
  ...CHAT_OPERATIONS,
  ...INPUT_OPERATIONS,
  ...RESPONSE_OPERATIONS,
  ...EMBEDDING_OPERATIONS,
  ...FILE_OPERATIONS,
  ...UPLOAD_OPERATIONS,
  ...VECTOR_STORE_OPERATIONS,
  ...VECTOR_STORE_FILE_OPERATIONS,
  ...FILE_BATCH_OPERATIONS,
  ...VECTOR_STORE_SEARCH_OPERATIONS,
];

/** The routes of the OpenAI-compatible API. Every refusal below the base path is in OpenAI's error format. */
export const OPENAI_ROUTES: ApiRoutes = {
  basePath: '/v1',
  operations: OPENAI_OPERATIONS,
  publicOperations: [],
  known: OPENAI_OPERATIONS,
  lastHandlers: [rejectUnknownRoute, sendOpenAiErrors],
};
