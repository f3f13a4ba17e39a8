import { SERVICE_REPORT_PATHS } from '@quarry/contracts';
import { getTraceHeaders, type StatusTarget } from '@quarry/service-kit';
import type { GatewayAddress } from './gateway-client.js';

const TIMEOUT_MS = 5_000;

/** Creates a target that sends the states of this process to a gateway. Its methods throw when the gateway refuses or is unavailable. */
export function createStatusTarget(gateway: GatewayAddress): StatusTarget {
  return {
    send: (status) => post(gateway, SERVICE_REPORT_PATHS.report, status),
    end: (instance) => post(gateway, SERVICE_REPORT_PATHS.end, { instance }),
  };
}

async function post({ url, token }: GatewayAddress, path: string, body: object): Promise<void> {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...getTraceHeaders() },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`expected the gateway to accept ${path}, found status ${response.status}`);
}
