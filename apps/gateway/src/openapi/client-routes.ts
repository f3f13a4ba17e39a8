import type { Operation, PublicOperation } from '../http/declaration.js';

/** Generates the source text of the client's route table, `libs/client/src/generated/routes.ts`. */
export function generateClientRoutes(operations: readonly (Operation | PublicOperation)[]): string {
  return `// Generated from the operations of apps/gateway. To update it: npm run generate -w @quarry/client
import type { Route } from '../connection.js';
import type { operations } from './schema.js';

export const ROUTES = {
${operations.map((operation) => `  ${operation.id}: ${formatRoute(operation)},\n`).join('')}} as const satisfies { readonly [Id in keyof operations]?: Route };
`;
}

function formatRoute({ method, path, idempotency, isReadOnly }: Operation | PublicOperation): string {
  // The client library generates an Idempotency-Key only for these requests. A request with another kind of idempotency
  // continues after the client has disconnected, so the caller of the library must choose the key.
  const isNamed = idempotency === 'transaction' || idempotency === 'staged';
  const isRepeatable = method !== 'post' || isReadOnly === true || isNamed;
  return `{ method: '${method.toUpperCase()}', path: '${path}', isRepeatable: ${isRepeatable}, isNamed: ${isNamed} }`;
}
