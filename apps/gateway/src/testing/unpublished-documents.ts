import type { JsonSchema } from '@quarry/validation';
import { OLDER_PATHS } from '../http/compatibility/older-paths.js';
import type { RouteDescription } from '../http/declaration.js';
import { buildOpenApiDocument } from '../openapi/document.js';
import { OPENAI_ROUTES } from '../operations/openai/routes.js';
import { OPERATIONS } from '../operations/operations.js';

/**
 * Builds two OpenAPI documents of routes that the published document omits: one of the routes of `/v1`, and one of the
 * older paths at the root.
 */
export function buildUnpublishedDocuments(): readonly JsonSchema[] {
  const { basePath, operations } = OPENAI_ROUTES;
  const older = OLDER_PATHS.flatMap(({ path, operationId }) =>
    OPERATIONS.filter(({ id }) => id === operationId).map((current) => moveOperationToRoot(current, path)),
  );
  return [operations.map((operation) => moveOperationToRoot(operation, `${basePath}${operation.path}`)), older].map(
    buildOpenApiDocument,
  );
}

/** Returns a copy of an operation that has the given path and is available at the root instead of below `/api`. */
function moveOperationToRoot(operation: RouteDescription, path: string): RouteDescription {
  return { ...operation, path, servers: ['/'] };
}
