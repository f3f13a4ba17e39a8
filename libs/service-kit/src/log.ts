import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Names of fields that are redacted in a log entry, and in objects that are values of the entry's fields, but not
 * deeper.
 */
const SECRETS = ['authorization', 'apiKey', 'api_key', 'password', 'secret', 'token', 'headers', 'internalToken'];

/** Creates a log that writes lines of JSON and redacts secrets. @param destination default: standard output */
export function createLog(service: string, level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Serializes an error for the log, with its causes. Properties of the error that are objects are omitted, because
 * libraries attach requests and their headers to errors. The errors of an `AggregateError` are serialized, too.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const shown = Object.entries(pino.stdSerializers.err(error)).filter(([, value]) => !isObject(value));
  const errors = error instanceof AggregateError ? { errors: error.errors.map(serializeError) } : {};
  return { ...Object.fromEntries(shown), ...errors };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
