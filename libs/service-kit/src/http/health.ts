import { Router } from 'express';
import type { Metrics } from '../metrics.js';

/** By name, what resolves when a dependency answers and rejects when it does not. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

const CHECK_TIMEOUT_MS = 2_000;

/**
 * `GET /health/live`: the process runs; it asks nothing else, so that a database that is away restarts no service.
 * `GET /health/ready`: 200 when every dependency answers, else 503 with those that do not. `GET /metrics`: Prometheus.
 */
export function health(checks: ReadinessChecks, metrics: Metrics): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => {
    response.json({ status: 'live' });
  });
  router.get('/health/ready', async (_request, response) => {
    const results = await Promise.all(Object.entries(checks).map(([name, check]) => outcome(name, check)));
    const failed = results.filter((result) => result.error !== undefined);
    response.status(failed.length === 0 ? 200 : 503).json({
      status: failed.length === 0 ? 'ready' : 'not_ready',
      checks: Object.fromEntries(results.map(({ name, error }) => [name, error ?? 'ok'])),
    });
  });
  router.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

async function outcome(name: string, check: () => Promise<void>): Promise<{ name: string; error?: string }> {
  try {
    await withTimeout(check());
    return { name };
  } catch (error) {
    return { name, error: error instanceof Error ? error.message : String(error) };
  }
}

async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`));
    }, CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
