import { basicProblem, type Problem } from './problem.js';

/** Describes the fields of an error that Express or its body parser throws. */
interface BodyParserError {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly limit?: number;
  readonly length?: number;
  readonly charset?: string;
  readonly encoding?: string;
}

/** Converts an error of the body parser to a problem for the client. Returns undefined for any other error. */
export function convertBodyErrorToProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  const marked = error as Error & BodyParserError; // the rest is optional
  const kind = getProblemCode(marked.status);
  return kind === undefined ? undefined : basicProblem(kind, describeBodyError(marked), { cause: error });
}

/** Returns the code of the problem for a status of the body parser. Undefined: the status is no client error. */
function getProblemCode(status: number) {
  if (status === 413) return 'payload_too_large';
  if (status === 415) return 'unsupported_media_type';
  return status >= 400 && status < 500 ? 'malformed_request' : undefined;
}

function describeBodyError({ status, message, type, code, limit, length, charset, encoding }: BodyParserError): string {
  if (status === 413) {
    const found = length === undefined ? '' : `, found ${length}`;
    return `The body is over the limit${limit === undefined ? '' : ` of ${limit} bytes`}${found}.`;
  }
  if (type === 'entity.parse.failed') return `The body is not JSON: ${message}.`;
  if (type === 'charset.unsupported') return `The body must be in UTF-8, found charset ${charset}.`;
  if (type === 'encoding.unsupported') {
    return `Content-Encoding must be identity, gzip, deflate, br or zstd, found ${encoding}.`;
  }
  if (isDecompressionCode(code)) return `The body cannot be decompressed with its Content-Encoding: ${message}.`;
  return `${message}.`;
}

/**
 * Returns true for the error codes of Node's decompressors, such as Z_DATA_ERROR, ERR__ERROR_FORMAT_PADDING_1 and
 * ZSTD_error_prefix_unknown.
 */
const isDecompressionCode = (code: string | undefined): boolean => code !== undefined && /^(Z_|ERR__|ZSTD_)/.test(code);
