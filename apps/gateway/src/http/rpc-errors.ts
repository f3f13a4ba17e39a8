import { convertErrorToProblem } from '@quarry/service-kit';
import type { ErrorRequestHandler, Response } from 'express';

/** The error codes of JSON-RPC. Source: JSON-RPC 2.0, section 5.1. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const;

/** An error of JSON-RPC 2.0, and the HTTP status with which it is sent. */
interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** The id of the request. Omit it if the request could not be read. */
  readonly id?: unknown;
}

/** Sends an error response of JSON-RPC. An id that the protocol does not allow is sent as null. */
export function sendRpcError(response: Response, { status, code, message, id }: RpcError): void {
  const allowed = typeof id === 'string' || typeof id === 'number' ? id : null;
  response.status(status).json({ jsonrpc: '2.0', id: allowed, error: { code, message } });
}

/** Sends the error of an unreadable body as a JSON-RPC error, because JSON-RPC clients do not read problem details. */
export const sendRpcBodyErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const { code, kind, message } = convertErrorToProblem(error);
  if (kind.status >= 500) {
    next(error);
    return;
  }
  const rpcCode = code === 'malformed_request' ? RPC_CODES.parseError : RPC_CODES.invalidRequest;
  sendRpcError(response, { status: kind.status, code: rpcCode, message });
};
