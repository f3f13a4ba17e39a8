import { createServiceApp } from '@quarry/service-kit';
import type { GatewayContext } from './context.js';
import { listGatewayDependencies } from './dependencies.js';
import type { Gateway } from './gateway.js';
import { translateRefusals } from './http/compatibility/chaindesk/translate-refusals.js';
import { createOlderPathRewriter } from './http/compatibility/older-paths.js';
import { addTranslators } from './http/compatibility/add-translators.js';
import { createMonitoringAccess } from './http/create-monitoring-access.js';
import { createApiPathHint } from './http/api-path-hint.js';
import { createApiRouter } from './http/api-router.js';
import { findConsoleFolder, readConsoleFiles } from './http/console-files.js';
import { createConsoleRoutes } from './http/console-routes.js';
import { refuseOtherBasePaths } from './operations/openai/base-path-hints.js';
import { OPENAI_ROUTES } from './operations/openai/routes.js';
import { createDocumentationRoutes } from './http/documentation-routes.js';
import { createInternalRoutes } from './http/internal-routes.js';
import { createMcpRoutes } from './http/mcp-routes.js';
import { translateErrors } from './http/translate-errors.js';
import { buildOpenApiDocument } from './openapi/document.js';
import { ROUTES } from './openapi/documented-routes.js';
import { OPERATIONS, PUBLIC_OPERATIONS } from './operations/operations.js';

/**
 * Builds the Express app of the gateway: health, metrics, documentation and the console at the root, the API below
 * `/api`.
 */
export function buildGatewayApp(context: GatewayContext, gateway: Gateway): ReturnType<typeof createServiceApp> {
  const { log, metrics, queryService } = context;
  const documented = ROUTES.filter(({ servers = ['/api'] }) => servers.includes('/api'));
  return createServiceApp({
    log,
    metrics,
    dependencies: listGatewayDependencies({ ...context, queryService: gateway.queryService }),
    monitoring: createMonitoringAccess(gateway, context.metricsToken),
    trustedProxies: gateway.trustedProxies,
    routes: [
      createDocumentationRoutes(buildOpenApiDocument(ROUTES)),
      createOlderPathRewriter(OPERATIONS),
      createApiRouter(gateway, {
        basePath: '/api',
        operations: addTranslators(OPERATIONS),
        publicOperations: PUBLIC_OPERATIONS,
        known: documented,
        lastHandlers: [translateRefusals, translateErrors],
      }),
      createApiRouter(gateway, OPENAI_ROUTES),
      createInternalRoutes(gateway, queryService.token),
      createMcpRoutes(gateway, OPERATIONS),
      createConsoleRoutes(readConsoleFiles(findConsoleFolder())),
      refuseOtherBasePaths,
      createApiPathHint([...OPERATIONS, ...PUBLIC_OPERATIONS]),
    ],
  });
}
