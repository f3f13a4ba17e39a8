import type { Scope } from '@quarry/contracts';
import { requestOf } from '@quarry/service-kit';
import type { Request, RequestHandler } from 'express';
import { redactQueryParameters } from '../database/query-error.js';
import { createKeyCheck, requireAnyScope, type Credentials, type KeyCheckParts } from '../keys/check-key.js';
import { isTouchDue, touchKey } from '../keys/key-repository.js';
import { callerOf, setCaller } from './caller-of.js';

/** Admits requests with a valid key. */
export function authenticate(gateway: KeyCheckParts): RequestHandler {
  const checkKey = createKeyCheck(gateway);
  return async (request, response, next) => {
    const { caller, row } = await checkKey(readCredentials(request));
    setCaller(response, caller);
    const now = gateway.clock();
    if (isTouchDue(row, now)) {
      const { log } = requestOf(response);
      touchKey(gateway.db, row.id, now).catch((error: unknown) => {
        log.warn({ err: redactQueryParameters(error) }, 'failed to record the use of an API key');
      });
    }
    next();
  };
}

export function readCredentials(request: Request): Credentials {
  return { authorization: request.get('authorization'), address: request.ip };
}

/** Admits only keys with at least one of these scopes. An empty list admits every key. */
export function requireScope(anyOf: readonly Scope[]): RequestHandler {
  return (_request, response, next) => {
    if (anyOf.length > 0) requireAnyScope(callerOf(response), anyOf);
    next();
  };
}
