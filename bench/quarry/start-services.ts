import { createClient } from '@quarry/client';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { ROOT_KEY, startService, type ServiceProcess } from '@quarry/system-tests';
import type { RunningQuarry } from './start-quarry.js';

const WORKERS = ['ingestion-worker', 'crawler', 'catalog-sync'];

/**
 * Starts one process of each service, without rate limits per API key.
 *
 * @param variables the variables of `startServers`, and further settings
 */
export async function startServices(variables: Readonly<Record<string, string>>): Promise<RunningQuarry> {
  const [gatewayPort, queryPort] = [await findFreePort(), await findFreePort()];
  const gatewayUrl = `http://127.0.0.1:${gatewayPort}`;
  const settings = {
    QUARRY_RATE_LIMIT: '0',
    QUARRY_GATEWAY_URL: gatewayUrl,
    QUARRY_QUERY_URL: `http://127.0.0.1:${queryPort}`,
    ...variables,
  };
  const started: ServiceProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((service) => service.stop()));
  };
  try {
    started.push(await startService('gateway', gatewayPort, settings));
    started.push(await startService('query', queryPort, settings));
    for (const worker of WORKERS) started.push(await startService(worker, await findFreePort(), settings));
  } catch (error) {
    await stop();
    throw error;
  }
  const baseUrl = `${gatewayUrl}/api`;
  const pids = started.slice(0, 2).map(({ pid }) => pid);
  return { baseUrl, apiKey: ROOT_KEY, client: createClient({ baseUrl, apiKey: ROOT_KEY }), pids, stop };
}
