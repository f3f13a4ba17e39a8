import { serviceApp } from '@quarry/service-kit';
import { Router, type Express } from 'express';
import type { GatewayContext } from './context.js';
import type { Gateway } from './gateway.js';
import { documentationRoutes } from './openapi/documentation-routes.js';
import { apiRoutes } from './routes/api.js';
import { internalRoutes } from './routes/internal.js';

/** The gateway's HTTP side: health, metrics and documentation at the root, the API below `/api`. */
export function gatewayApp(context: GatewayContext, gateway: Gateway): Express {
  const { database, queues, blobs, log, metrics } = context;
  const readiness = {
    database: async () => database.ping(),
    queue: async () => queues.ping(),
    blobs: async () => blobs.ping(),
  };
  const base = Router();
  base.use(documentationRoutes());
  base.use('/api', apiRoutes(gateway));
  base.use(internalRoutes(gateway, context.queryService.token));
  return serviceApp({ log, metrics, readiness, trustedProxies: gateway.trustedProxies, routes: [base] });
}
