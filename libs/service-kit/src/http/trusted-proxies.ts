import express from 'express';
import { ConfigurationError } from '../configuration/environment.js';

/** The proxies whose `X-Forwarded-For` is believed: how many stand in front, or their networks. `false`: none. */
export type TrustedProxies = false | number | readonly string[];

/**
 * Reads which proxies are trusted: a number of them, or addresses and networks with commas between, such as `10.0.0.0/8`; also
 * `loopback`, `linklocal` and `uniquelocal`.
 *
 * @param variable that the text was given by
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
      [`${variable} must be a number of proxies, or networks with commas between, ${found}`],
      {
        cause: error,
      },
    );
  }
  return trusted;
}
