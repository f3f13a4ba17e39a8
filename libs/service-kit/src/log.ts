import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Names of fields that are redacted in a log entry and in the objects that its fields contain, but not deeper. */
const SECRETS = ['authorization', 'apiKey', 'api_key', 'password', 'secret', 'token', 'headers', 'internalToken'];

/** Creates a log that writes lines of JSON and redacts secrets. @param destination default: standard output */
export function createLog(service: string, level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
