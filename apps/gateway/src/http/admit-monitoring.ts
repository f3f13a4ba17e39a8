import { hasBearer, type MonitoringAccess } from '@quarry/service-kit';
import { createKeyCheck, requireAnyScope, type KeyCheckParts } from '../keys/check-key.js';
import { readCredentials } from './authenticate.js';
import { translateError } from './translate-errors.js';

/**
 * Admits requests with the metrics token, or with a key of the scope `operate`, to metrics and the details of readiness. The
 * check of the token does not use the database.
 */
export function createMonitoringAccess(gateway: KeyCheckParts, token: string | undefined): MonitoringAccess {
  const checkKey = createKeyCheck(gateway);
  return async (request) => {
    if (hasBearer(request, token)) return;
    try {
      const { caller } = await checkKey(readCredentials(request));
      requireAnyScope(caller, ['operate']);
    } catch (error) {
      throw translateError(error);
    }
  };
}
