import { SessionResponse, SignInCodeResponse, StartSessionRequest } from '@quarry/contracts';
import type { Gateway } from '../gateway.js';
import type { Operation, PublicOperation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { definePublicOperation } from '../http/define-public-operation.js';
import { buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import { describeEmptyResponse, describeJsonResponse, createObjectSchema } from '../http/responses.js';
import { buildExpiredSessionCookie, buildSessionCookie } from '../http/session-cookie.js';
import { createFieldProblem } from '../checks/field-problem.js';
import { findKey } from '../keys/key-repository.js';
import { buildApiKeyResponse } from '../keys/build-api-key-response.js';
import { findOrganization } from '../organizations/organization-repository.js';
import { buildOrganizationResponse } from '../organizations/organization-view.js';
import { endSession, getIdleExpiry, type SessionRow } from '../sessions/session-repository.js';
import { buildSignInPath, createSignInCode } from '../sessions/sign-in-codes.js';
import { type SignIn, startSession } from '../sessions/start-session.js';

const COOKIE = { 'Set-Cookie': 'The cookie of the session, which scripts cannot read and other sites cannot send.' };

/** Lists the operations with which a browser signs in and out. These operations need no key. */
export const PUBLIC_SESSION_OPERATIONS: readonly PublicOperation[] = [
  definePublicOperation({
    id: 'startSession',
    method: 'post',
    path: '/session',
    tag: 'Sessions',
    summary: 'Sign in',
    description:
      'Exchanges an API key or a one-time code for the cookie of a session. The session has the permissions of its key. It ends when the key is revoked or expires, after 2 hours without a request, and after 12 hours in any case. A session that the request already has ends.',
    body: describeJsonBody(StartSessionRequest, { unknownFields: 'refuse', check: (body) => void parseSignIn(body) }),
    responses: { 200: describeJsonResponse('The new session.', createObjectSchema(SessionResponse), COOKIE) },
    problems: [
      'malformed_request',
      'unauthorized',
      'cross_origin_request',
      'sign_in_code_used',
      'sign_in_code_expired',
      'rate_limited',
      'too_many_refusals',
      'internal_error',
      'dependency_unavailable',
    ],
    handle: async ({ gateway, body, visitor: { address, sessionToken, usesHttps } }) => {
      const { token, session } = await startSession(gateway, parseSignIn(body), address);
      if (sessionToken !== undefined) await endSession(gateway, sessionToken);
      const seconds = Math.floor((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000);
      return buildOkReply(await buildSessionResponse(gateway, { ...session, keyId: session.apiKeyId, session }), {
        'Set-Cookie': buildSessionCookie(token, seconds, usesHttps),
      });
    },
  }),

  definePublicOperation({
    id: 'endSession',
    method: 'delete',
    path: '/session',
    tag: 'Sessions',
    summary: 'Sign out',
    description:
      'Ends the session of the cookie with its event streams, and removes the cookie. Also succeeds if the session has already ended.',
    responses: { 204: describeEmptyResponse('Signed out.') },
    problems: ['cross_origin_request', 'internal_error', 'dependency_unavailable'],
    handle: async ({ gateway, visitor: { sessionToken, usesHttps } }) => {
      if (sessionToken !== undefined) await endSession(gateway, sessionToken);
      return { ...buildEmptyReply(), headers: { 'Set-Cookie': buildExpiredSessionCookie(usesHttps) } };
    },
  }),
];

/** Lists the operations on sessions that need a key or a session. */
export const SESSION_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'getSession',
    method: 'get',
    path: '/session',
    tag: 'Sessions',
    summary: 'Get the current session',
    description:
      'Returns the API key of the session, with its scopes and limits, its organization, and when the session ends.',
    scopes: [],
    responses: { 200: describeJsonResponse('The session.', createObjectSchema(SessionResponse)) },
    handle: async ({ gateway, caller }) => buildOkReply(await buildSessionResponse(gateway, caller)),
  }),

  defineOperation({
    id: 'createSignInCode',
    method: 'post',
    path: '/session/codes',
    tag: 'Sessions',
    summary: 'Create a one-time code for signing in',
    description:
      'A browser that opens the path of the response signs in with the permissions of the key of this request. The code is valid for 10 minutes and works once.',
    scopes: ['manage'],
    responses: { 200: describeJsonResponse('The code.', createObjectSchema(SignInCodeResponse)) },
    handle: async ({ gateway: { db, clock }, caller: { keyId: id, organizationId } }) => {
      const { code, expiresAt } = await createSignInCode(db, { id, organizationId }, clock());
      return buildOkReply({ code, path: buildSignInPath(code), expiresAt: expiresAt.toISOString() });
    },
  }),
];

/** Returns the only credential of a sign-in. @throws Problem 400 unless the sign-in has exactly one credential */
function parseSignIn({ apiKey, code }: StartSessionRequest): SignIn {
  const given = { apiKey: apiKey ?? undefined, code: code ?? undefined };
  if (given.apiKey !== undefined && given.code === undefined) return { apiKey: given.apiKey };
  if (given.code !== undefined && given.apiKey === undefined) return { code: given.code };
  const found = given.code === undefined ? 'neither' : 'both';
  throw createFieldProblem('apiKey', `or code must be set, and not both; found ${found}`);
}

/** The ids of the caller's API key and organization, and the caller's session if there is one. */
interface SessionOwner {
  readonly organizationId: string;
  readonly keyId: string;
  readonly session?: SessionRow;
}

async function buildSessionResponse(
  { db }: Pick<Gateway, 'db'>,
  { organizationId, keyId, session }: SessionOwner,
): Promise<SessionResponse> {
  const organization = buildOrganizationResponse(await findOrganization(db, organizationId));
  const key = buildApiKeyResponse(await findKey(db, organizationId, keyId));
  return { organization, key, session: session === undefined ? null : buildSessionTimes(session) };
}

function buildSessionTimes(session: SessionRow): NonNullable<SessionResponse['session']> {
  return {
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    idleExpiresAt: getIdleExpiry(session).toISOString(),
  };
}
