import { createClient, type QuarryClient } from '@quarry/client';
import { afterAll, beforeAll, describe } from 'vitest';
import { createContainersStack } from './containers-stack.js';
import { oneMachineStack } from './one-machine-stack.js';
import { ROOT_KEY } from './quarry-process.js';
import { createServicesStack } from './services-stack.js';
import type { Variables, StackKind, RunningStack } from './stack.js';

export interface StackTests {
  /** Variables of the services of started stacks. */
  readonly variables?: Variables;
  /** Returns the addresses of the tests' servers that the services call, once they listen. */
  readonly servers?: () => readonly string[];
  /** True if the tests need separate services, which one machine does not have. */
  readonly ofServices?: boolean;
  /** The reason why these tests cannot run against a running Quarry; undefined if they can. */
  readonly notAtAddress?: string;
}

/** Returns the address and the output of the running stack, and restarts it. */
type StackControl = Pick<RunningStack, 'baseUrl' | 'output' | 'restart'>;

/** Defines tests with a client. @param quarry returns a client with a tenant's key, or else with the operator's */
type Tests = (quarry: (apiKey?: string) => QuarryClient, stack: () => StackControl) => void;

/** True if the tests run in containers. */
export const testsContainers = process.env['QUARRY_SYSTEM_TEST_CONTAINERS'] !== undefined;

/**
 * Runs the same tests on each stack: on one machine, and as services in processes. With QUARRY_SYSTEM_TEST_CONTAINERS, they run
 * in containers only. With QUARRY_SYSTEM_TEST_URL, they run only against that address.
 */
export function describeStacks(title: string, needs: StackTests, tests: Tests): void {
  for (const kind of listStackKinds(needs)) describeStack(title, kind, needs, tests);
}

function listStackKinds({ notAtAddress, ofServices = false }: StackTests): readonly StackKind[] {
  const address = process.env['QUARRY_SYSTEM_TEST_URL'];
  if (address !== undefined) return [createAddressStack(address, notAtAddress)];
  if (testsContainers) return [createContainersStack()];
  return ofServices ? [createServicesStack()] : [oneMachineStack, createServicesStack()];
}

function describeStack(title: string, kind: StackKind, needs: StackTests, tests: Tests): void {
  const reason = kind.missing === undefined ? '' : ` (skipped: ${kind.missing})`;
  describe.skipIf(kind.missing !== undefined)(`${title} on ${kind.title}${reason}`, () => {
    let stack: RunningStack | undefined;
    beforeAll(async () => {
      stack = await kind.start(needs.variables ?? {}, needs.servers?.() ?? []);
    });
    afterAll(() => stack?.stop());
    const getRunningStack = (): RunningStack => {
      if (stack === undefined) throw new Error(`expected ${kind.title} to be started, found none`);
      return stack;
    };
    tests((apiKey = ROOT_KEY) => createClient({ baseUrl: getRunningStack().baseUrl, apiKey }), getRunningStack);
  });
}

/** Describes a running Quarry with the root key of the tests. @param url such as `http://localhost:3000` */
function createAddressStack(url: string, missing: string | undefined): StackKind {
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
