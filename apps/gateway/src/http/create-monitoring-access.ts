import { hasBearerToken, type MonitoringAccess } from '@quarry/service-kit';
import { authenticateCredentials, requireAnyScope, type KeyCheckParts } from '../keys/authenticate-key.js';
import { readCredentials } from './authenticate.js';
import { translateDatabaseError } from '../database/translate-database-error.js';

/**
 * Creates the access check for metrics and the details of readiness. Admits requests with the metrics token, or with an
 * API key that has the scope `operate`. Checks the token first, so that metrics are available while the database is
 * not.
 */
export function createMonitoringAccess(gateway: KeyCheckParts, token: string | undefined): MonitoringAccess {
  return async (request) => {
    if (hasBearerToken(request, token)) return;
    try {
      const { caller } = await authenticateCredentials(gateway, readCredentials(request));
      requireAnyScope(caller, ['operate']);
    } catch (error) {
      throw translateDatabaseError(error);
    }
  };
}
