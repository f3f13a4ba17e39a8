import { hasBearer, type MonitoringAccess } from '@quarry/service-kit';
import { translateError } from '../http/translate-errors.js';
import { createKeyCheck, refuseOtherScopes, type KeyCheckParts } from './authenticate.js';

/**
 * Admits the metrics token, and keys with the scope `operate`, to metrics and to the details of readiness. The token needs no
 * database.
 */
export function admitMonitoring(gateway: KeyCheckParts, token: string | undefined): MonitoringAccess {
  const checkKey = createKeyCheck(gateway);
  return async (request) => {
    if (hasBearer(request, token)) return;
    try {
      const { caller } = await checkKey(request);
      refuseOtherScopes(caller, ['operate']);
    } catch (error) {
      throw translateError(error);
    }
  };
}
