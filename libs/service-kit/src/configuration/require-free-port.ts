import { createServer } from 'node:net';
import { ConfigurationError } from './configuration-error.js';

/**
 * Checks that a service can listen at an address. Call it before the service opens other resources. Port 0, which
 * selects any free port, passes the check.
 *
 * @throws ConfigurationError that names the variable to change
 */
export async function requireFreePort({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const probe = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  probe.once('error', (error: NodeJS.ErrnoException) => {
    reject(new ConfigurationError([describeListenError(error.code, host, port)], { cause: error }));
  });
  probe.listen({ host, port, exclusive: true }, () => {
    probe.close(() => {
      resolve(true);
    });
  });
  await promise;
}

function describeListenError(code: string | undefined, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `port ${port} of ${host} is used by another program: stop it, or set QUARRY_PORT to a free port`;
  if (code === 'EACCES')
    return `port ${port} needs rights that this user does not have: set QUARRY_PORT to 1024 or more`;
  return `cannot listen at ${host} (${code ?? 'unknown error'}): set QUARRY_HOST to an address of this machine`;
}
