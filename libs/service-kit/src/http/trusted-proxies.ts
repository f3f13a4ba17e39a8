import express from 'express';
import { ConfigurationError } from '../configuration/configuration-error.js';

/**
 * Defines the proxies whose header `X-Forwarded-For` is trusted: the number of proxies between clients and the service,
 * or their addresses and networks. `false`: no proxy is trusted.
 */
export type TrustedProxies = false | number | readonly string[];

/**
 * Parses a text that defines the trusted proxies: a number, or addresses and networks separated by commas, such as
 * `10.0.0.0/8`, and `loopback`, `linklocal` or `uniquelocal`.
 *
 * @param variable the name of the environment variable that holds the text, for messages
 * @throws ConfigurationError
 */
export function readTrustedProxies(variable: string, text: string | undefined): TrustedProxies {
  if (text === undefined) return false;
  const trusted = /^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((network) => network.trim());
  try {
    express().set('trust proxy', trusted);
  } catch (error) {
    const found = `found "${text}"`;
    throw new ConfigurationError(
      [`${variable} must be a number of proxies, or networks separated by commas, ${found}`],
      {
        cause: error,
      },
    );
  }
  return trusted;
}
