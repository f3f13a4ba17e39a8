import { createClient, type QuarryClient } from '@quarry/client';
import { afterAll, beforeAll, describe } from 'vitest';
import { createContainersStack } from './containers-stack.js';
import { oneMachineStack } from './one-machine-stack.js';
import { ROOT_KEY } from './quarry-process.js';
import { createServicesStack } from './services-stack.js';
import type { Variables, StackKind, RunningStack } from './stack.js';

export interface StackTests {
  /** Environment variables that the services need for these tests. */
  readonly variables?: Variables;
  /**
   * Returns the addresses of servers that the test itself runs, and to which the services must be able to connect.
   * Called after the `beforeAll` hooks of the test file.
   */
  readonly servers?: () => readonly string[];
  /** True if the tests need separate services, and cannot run on a standalone Quarry. */
  readonly ofServices?: boolean;
  /** The reason why these tests cannot run against an already running Quarry; undefined if they can. */
  readonly notAtAddress?: string;
}

/** Provides the parts of a running stack that tests may use. Only the suite starts and stops the stack. */
type StackControl = Pick<RunningStack, 'baseUrl' | 'output' | 'restart'>;

/** Defines the tests of a suite. @param quarry returns a client with the given API key; default: the root key */
type Tests = (quarry: (apiKey?: string) => QuarryClient, stack: () => StackControl) => void;

/** True if the system tests run Quarry only in containers. */
export const testsContainers = process.env['QUARRY_SYSTEM_TEST_CONTAINERS'] !== undefined;

/**
 * Defines the same tests for each kind of stack: a standalone Quarry, and separate services. If the environment
 * contains QUARRY_SYSTEM_TEST_URL, the tests run only against the Quarry at that URL. Otherwise, if it contains
 * QUARRY_SYSTEM_TEST_CONTAINERS, they run only in containers.
 */
export function describeOnEachStack(title: string, needs: StackTests, tests: Tests): void {
  for (const kind of listStackKinds(needs)) describeOnStack(title, kind, needs, tests);
}

function listStackKinds({ notAtAddress, ofServices = false }: StackTests): readonly StackKind[] {
  const address = process.env['QUARRY_SYSTEM_TEST_URL'];
  if (address !== undefined) return [createAddressStack(address, notAtAddress)];
  if (testsContainers) return [createContainersStack()];
  return ofServices ? [createServicesStack()] : [oneMachineStack, createServicesStack()];
}

function describeOnStack(title: string, kind: StackKind, needs: StackTests, tests: Tests): void {
  const reason = kind.missing === undefined ? '' : ` (skipped: ${kind.missing})`;
  describe.skipIf(kind.missing !== undefined)(`${title} on ${kind.title}${reason}`, () => {
    let stack: RunningStack | undefined;
    beforeAll(async () => {
      stack = await kind.start(needs.variables ?? {}, needs.servers?.() ?? []);
    });
    afterAll(() => stack?.stop());
    const getRunningStack = (): RunningStack => {
      if (stack === undefined) throw new Error(`expected ${kind.title} to run, found that it was not started`);
      return stack;
    };
    tests((apiKey = ROOT_KEY) => createClient({ baseUrl: getRunningStack().baseUrl, apiKey }), getRunningStack);
  });
}

/**
 * Returns a kind of stack for a Quarry that already runs and has the root key of the tests. Its method `start` does not
 * start any process.
 *
 * @param url URL of the Quarry, such as `http://localhost:3000`
 */
function createAddressStack(url: string, missing: string | undefined): StackKind {
  return {
    title: url,
    missing,
    start: () =>
      Promise.resolve({
        baseUrl: `${url}/api`,
        output: () => '',
        restart: () =>
          Promise.reject(
            new Error(`expected a Quarry that the tests have started, found ${url}, which they cannot restart`),
          ),
        stop: () => Promise.resolve(),
      }),
  };
}
