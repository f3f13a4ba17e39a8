import { createHmac } from 'node:crypto';
import { createSealing, type Sealing } from '@quarry/sealed';
import type { Request, Response } from 'express';
import { invalid } from '../http/invalid.js';
import { readBearer } from '../keys/authenticate.js';
import { callerOf } from '../keys/caller.js';
import { fingerprintOf, sha256 } from './fingerprint.js';

/** A request that is to be carried out once, by what its client calls it. */
export interface Claim {
  readonly organizationId: string;
  readonly apiKeyId: string;
  /** Such as `POST /datastores`. */
  readonly route: string;
  readonly keyHash: string;
  readonly fingerprint: string;
  /** Made of the API key, of which nothing is kept: nobody opens the answer who does not have it. */
  readonly sealing: Sealing;
}

/** Printable ASCII, as a header can hold it. */
const KEY = /^[\x21-\x7E]{1,255}$/;

/**
 * @param asked what tells this request from another one with the same key: its body
 * @returns undefined when the client does not name its request
 * @throws Problem 400 for a name that cannot be one
 */
export function readClaim(request: Request, response: Response, asked: unknown): Claim | undefined {
  const key = request.get('idempotency-key');
  if (key === undefined) return undefined;
  if (!KEY.test(key)) {
    const found = `${key.length} characters: ${JSON.stringify(key.slice(0, 40))}`;
    throw invalid('Idempotency-Key', `must have 1 to 255 printable ASCII characters and no blank, found ${found}`);
  }
  const { organizationId, keyId: apiKeyId } = callerOf(response);
  return {
    organizationId,
    apiKeyId,
    route: `${request.method} ${routeOf(request)}`,
    keyHash: sha256(key),
    fingerprint: fingerprintOf([request.params, asked]),
    sealing: sealingOf(readBearer(request.get('authorization'))),
  };
}

function routeOf(request: Request): string {
  const route: unknown = request.route;
  return typeof route === 'object' && route !== null && 'path' in route ? String(route.path) : request.path;
}

function sealingOf(apiKey: string): Sealing {
  return createSealing([createHmac('sha256', apiKey).update('quarry: answers kept for repeated requests').digest()]);
}
