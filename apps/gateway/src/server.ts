import { serviceApp } from '@quarry/service-kit';
import { Router, type Express } from 'express';
import type { GatewayContext } from './context.js';
import { gatewayDependencies } from './dependencies.js';
import type { Gateway } from './gateway.js';
import { admitMonitoring } from './http/admit-monitoring.js';
import { apiRouter } from './http/api-router.js';
import { documentationRoutes } from './http/documentation-routes.js';
import { internalRoutes } from './http/internal-routes.js';
import { openApiDocument } from './openapi/document.js';
import { ROUTES } from './openapi/routes.js';
import { SERVICE_ROUTES } from './openapi/service-routes.js';
import { OPERATIONS } from './operations/operations.js';

/** Builds the gateway's HTTP side: health, metrics and documentation at the root, the API below `/api`. */
export function gatewayApp(context: GatewayContext, gateway: Gateway): Express {
  const { log, metrics } = context;
  const base = Router();
  base.use(documentationRoutes(openApiDocument(ROUTES)));
  base.use('/api', apiRouter(gateway, OPERATIONS, SERVICE_ROUTES));
  base.use(internalRoutes(gateway, context.queryService.token));
  return serviceApp({
    log,
    metrics,
    dependencies: gatewayDependencies({ ...context, queryService: gateway.queryService }),
    monitoring: admitMonitoring(gateway, context.metricsToken),
    trustedProxies: gateway.trustedProxies,
    routes: [base],
  });
}
