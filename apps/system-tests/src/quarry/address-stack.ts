import type { StackKind } from './stack.js';

/** A Quarry that runs already, with the root key of these tests. @param url such as `http://localhost:3000` */
export function addressStack(url: string, notHere: string | undefined): StackKind {
  return {
    title: url,
    missing: notHere,
    start: () =>
      Promise.resolve({
        baseUrl: `${url}/api`,
        output: () => '',
        restart: () => Promise.reject(new Error(`${url} is not these tests' to restart`)),
        stop: () => Promise.resolve(),
      }),
  };
}
