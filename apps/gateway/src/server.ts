import { serviceApp } from '@quarry/service-kit';
import { Router, type Express } from 'express';
import type { GatewayContext } from './context.js';
import { gatewayDependencies } from './dependencies.js';
import type { Gateway } from './gateway.js';
import { admitMonitoring } from './keys/admit-monitoring.js';
import { documentationRoutes } from './openapi/documentation-routes.js';
import { apiRoutes } from './routes/api.js';
import { internalRoutes } from './routes/internal.js';

/** Builds the gateway's HTTP side: health, metrics and documentation at the root, the API below `/api`. */
export function gatewayApp(context: GatewayContext, gateway: Gateway): Express {
  const { log, metrics } = context;
  const base = Router();
  base.use(documentationRoutes());
  base.use('/api', apiRoutes(gateway));
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
