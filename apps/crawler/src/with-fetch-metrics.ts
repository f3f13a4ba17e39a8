import { isFetchError, type SafeFetch } from '@quarry/safe-fetch';
import type { Metrics } from '@quarry/service-kit';
import { Counter } from 'prom-client';

/** Wraps an HTTP client to count its requests by outcome: the class of the status, such as `2xx`, or the error code. */
export function withFetchMetrics(client: SafeFetch, metrics: Metrics): SafeFetch {
  const fetches = new Counter({
    name: 'quarry_fetches_total',
    help: 'Requests to web servers by outcome: 2xx to 5xx, or the error code without a response.',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  return {
    async fetch(url, options) {
      try {
        const response = await client.fetch(url, options);
        fetches.inc({ outcome: `${Math.floor(response.status / 100)}xx` });
        return response;
      } catch (error) {
        fetches.inc({ outcome: isFetchError(error) ? error.code : 'failed' });
        throw error;
      }
    },
    requireAllowedUrl: (url) => {
      client.requireAllowedUrl(url);
    },
    close: () => client.close(),
  };
}
