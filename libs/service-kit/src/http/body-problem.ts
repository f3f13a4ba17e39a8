import { basicProblem, type Problem } from './problem.js';

/** Fields that Express and its body parser add to their errors. */
interface Marked {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly limit?: number;
  readonly length?: number;
  readonly charset?: string;
  readonly encoding?: string;
}

/** Returns the problem of a request body that could not be read; undefined for an error of another origin. */
export function createBodyProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  const marked = error as Error & Marked; // the rest is optional
  const kind = getKind(marked.status);
  return kind === undefined ? undefined : basicProblem(kind, describeProblem(marked), { cause: error });
}

function getKind(status: number) {
  if (status === 413) return 'payload_too_large';
  if (status === 415) return 'unsupported_media_type';
  return status >= 400 && status < 500 ? 'malformed_request' : undefined;
}

function describeProblem({ status, message, type, code, limit, length, charset, encoding }: Marked): string {
  if (status === 413) {
    const found = length === undefined ? '' : `, found ${length}`;
    return `The body is over the limit${limit === undefined ? '' : ` of ${limit} bytes`}${found}.`;
  }
  if (type === 'entity.parse.failed') return `The body is not JSON: ${message}.`;
  if (type === 'charset.unsupported') return `The body must be in UTF-8, found charset ${charset}.`;
  if (type === 'encoding.unsupported') {
    return `Content-Encoding must be identity, gzip, deflate, br or zstd, found ${encoding}.`;
  }
  if (isOfZlib(code)) return `The body cannot be decompressed with its Content-Encoding: ${message}.`;
  return `${message}.`;
}

/**
 * Returns true for the codes that Node's decompressors throw: Z_DATA_ERROR, ERR__ERROR_FORMAT_PADDING_1,
 * ZSTD_error_prefix_unknown.
 */
const isOfZlib = (code: string | undefined): boolean => code !== undefined && /^(Z_|ERR__|ZSTD_)/.test(code);
