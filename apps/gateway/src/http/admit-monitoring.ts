import { hasBearer, type MonitoringAccess } from '@quarry/service-kit';
import { createKeyCheck, refuseOtherScopes, type KeyCheckParts } from '../keys/check-key.js';
import { credentialsOf } from './authenticate.js';
import { translateError } from './translate-errors.js';

/**
 * Admits the metrics token, and keys with the scope `operate`, to metrics and to the details of readiness. The token needs no
 * database.
 */
export function admitMonitoring(gateway: KeyCheckParts, token: string | undefined): MonitoringAccess {
  const checkKey = createKeyCheck(gateway);
  return async (request) => {
    if (hasBearer(request, token)) return;
    try {
      const { caller } = await checkKey(credentialsOf(request));
      refuseOtherScopes(caller, ['operate']);
    } catch (error) {
      throw translateError(error);
    }
  };
}
