import { createClient, type QuarryClient } from '@quarry/client';
import { afterAll, beforeAll, describe } from 'vitest';
import { containersStack } from './containers-stack.js';
import { oneMachineStack } from './one-machine-stack.js';
import { ROOT_KEY } from './quarry-process.js';
import { servicesStack } from './services-stack.js';
import type { Variables, StackKind, RunningStack } from './stack.js';

export interface StackTests {
  /** For the services of stacks that the tests start. */
  readonly variables?: Variables;
  /** Addresses of servers of the tests that the services ask, once they listen. */
  readonly servers?: () => readonly string[];
  /** Whether the tests tell one service from another, which one machine does not. */
  readonly ofServices?: boolean;
  /** Why a Quarry that runs already cannot take these tests; absent where it can. */
  readonly notAtAddress?: string;
}

/** The stack under test, once it runs. */
type Running = Pick<RunningStack, 'output' | 'restart'>;

/** @param quarry with the key of a tenant, or else with that of the operator */
type Tests = (quarry: (apiKey?: string) => QuarryClient, stack: () => Running) => void;

/** Whether the tests are asked to run in containers. */
export const testsContainers = process.env['QUARRY_SYSTEM_TEST_CONTAINERS'] !== undefined;

/**
 * The same tests against every way to run Quarry: on one machine, and as services in processes; in containers alone if
 * QUARRY_SYSTEM_TEST_CONTAINERS is set; only against the address that QUARRY_SYSTEM_TEST_URL names, if it does.
 */
export function describeStacks(title: string, needs: StackTests, tests: Tests): void {
  for (const kind of kinds(needs)) describeStack(title, kind, needs, tests);
}

function kinds({ notAtAddress, ofServices = false }: StackTests): readonly StackKind[] {
  const address = process.env['QUARRY_SYSTEM_TEST_URL'];
  if (address !== undefined) return [addressStack(address, notAtAddress)];
  if (testsContainers) return [containersStack()];
  return ofServices ? [servicesStack()] : [oneMachineStack, servicesStack()];
}

function describeStack(title: string, kind: StackKind, needs: StackTests, tests: Tests): void {
  const reason = kind.missing === undefined ? '' : ` (skipped: ${kind.missing})`;
  describe.skipIf(kind.missing !== undefined)(`${title} on ${kind.title}${reason}`, () => {
    let stack: RunningStack | undefined;
    beforeAll(async () => {
      stack = await kind.start(needs.variables ?? {}, needs.servers?.() ?? []);
    });
    afterAll(() => stack?.stop());
    const running = (): RunningStack => {
      if (stack === undefined) throw new Error(`${kind.title} was not started`);
      return stack;
    };
    tests((apiKey = ROOT_KEY) => createClient({ baseUrl: running().baseUrl, apiKey }), running);
  });
}

/** Describes a running Quarry with the root key of the tests. @param url such as `http://localhost:3000` */
function addressStack(url: string, missing: string | undefined): StackKind {
  return {
    title: url,
    missing,
    start: () =>
      Promise.resolve({
        baseUrl: `${url}/api`,
        output: () => '',
        restart: () => Promise.reject(new Error(`${url} was not started by the tests, so they cannot restart it`)),
        stop: () => Promise.resolve(),
      }),
  };
}
