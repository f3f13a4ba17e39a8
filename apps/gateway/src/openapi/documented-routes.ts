import type { RouteDescription } from '../http/declaration.js';
import { OPERATIONS, PUBLIC_OPERATIONS } from '../operations/operations.js';
import { SERVICE_ROUTES } from './service-routes.js';

/** Lists every route of the OpenAPI document, in the order of the document. */
export const ROUTES: readonly RouteDescription[] = [...OPERATIONS, ...PUBLIC_OPERATIONS, ...SERVICE_ROUTES];
