import type { System } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest, OpenedConsole, OpenOptions } from './console-under-test.js';

/** Tests the screen that shows the state of the system to operators. */
export function testSystem(running: () => ConsoleUnderTest): void {
  const openAsOperator = async (change?: (system: System) => System, options?: OpenOptions): Promise<OpenedConsole> => {
    const opened = await running().open('', { ...options, isOperator: true });
    const { page } = opened;
    if (change !== undefined) await changeSystemResponses(page, change);
    await page.goto(new URL('system', running().baseUrl).href);
    return opened;
  };

  describe('the system screen', () => {
    it('the system screen shows the services, the queues and the database of a standalone Quarry', async () => {
      const { page } = await openAsOperator();
      await page.getByText('All services run in one process.').waitFor();
      const services = page.getByRole('list', { name: 'Services' });
      for (const name of ['Gateway', 'Query service', 'Ingestion worker', 'Crawler', 'Catalogue sync'])
        await services.getByRole('heading', { name, exact: true }).waitFor();
      expect(await services.getByText('Ready', { exact: true }).count()).toBe(5);
      expect(await services.getByText('lancedb').count()).toBe(2);
      expect(await services.getByText(/^Up for (\d+m )?\d+s$/).count()).toBe(5);
      // The columns contain the numbers of waiting, running, delayed and failed jobs, the age of the oldest job, and
      // the maximum number of jobs at once. Other suites may have left failed jobs.
      const row = page
        .getByRole('table', { name: 'Queues' })
        .getByRole('row', { name: /^Indexing( [\d,]+){4} .+ 12$/ });
      await row.waitFor();
      await page.locator('.panel').getByText('Current').waitFor();
      await auditScreenInEachAppearance(page, 'system');
      await page.locator('.panel').scrollIntoViewIfNeeded();
      await auditScreenInEachAppearance(page, 'system-end');
    });

    it('the system screen lists unavailable services, dependencies and queues with the reasons', async () => {
      const { page } = await openAsOperator(simulatePartialOutage);
      const worker = page.getByRole('listitem').filter({ hasText: 'Ingestion worker' });
      await worker.getByText('Degraded').waitFor();
      await worker.getByText('Vector store unavailable, not required').waitFor();
      await worker.getByText('fragments: no response within 2000 ms', { exact: true }).waitFor();
      await page.getByRole('row', { name: /Crawls \? \? \? \?.*Unavailable no response/ }).waitFor();
      await page.getByRole('row', { name: /Webhooks.*No consumer/ }).waitFor();
      await page.getByRole('row', { name: /Indexing Documents of a run 1,250 3 4m/ }).waitFor();
      await page.getByText('Expected 0099_next').waitFor();
      await auditScreenInEachAppearance(page, 'system-degraded');
      await page.getByRole('table', { name: 'Queues' }).scrollIntoViewIfNeeded();
      await auditScreenInEachAppearance(page, 'system-degraded-queues');
    });

    it('the system screen reports that its values are out of date when they cannot be refreshed', async () => {
      const { page } = await openAsOperator(undefined, { expectedError: /status of 500/ });
      await page.getByRole('heading', { name: 'Services' }).waitFor();
      await page.route('**/api/system', async (route) =>
        route.fulfill({ status: 500, contentType: 'application/problem+json', body: PROBLEM }),
      );
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText('These values are out of date.').waitFor();
      await page.getByText('The state of the system could not be refreshed').waitFor();
      await auditScreenInEachAppearance(page, 'system-stale');
      // A hidden tab does not refresh the values by itself, so only the click refreshes them.
      await setTabVisibility(page, 'hidden');
      await page.unroute('**/api/system');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('These values are out of date.').waitFor({ state: 'detached' });
    });

    it('the system screen requests the state of the system repeatedly while its tab is visible, and not while the tab is hidden', async () => {
      const { page } = await openAsOperator();
      await page.getByRole('heading', { name: 'Services' }).waitFor();
      await page.clock.install();
      let requests = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/api/system')) requests += 1;
      });
      await setTabVisibility(page, 'visible');
      const refreshed = page.waitForResponse('**/api/system');
      await page.clock.fastForward(6_000);
      await refreshed;
      await setTabVisibility(page, 'hidden');
      requests = 0;
      await page.clock.fastForward(60_000);
      expect(requests).toBe(0);
      const again = page.waitForResponse('**/api/system');
      await setTabVisibility(page, 'visible');
      await again;
    });

    it('the system screen needs no horizontal scrolling in a narrow window', async () => {
      const { page } = await openAsOperator(simulatePartialOutage, { width: 360, height: 740 });
      await page.getByText('Degraded').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await auditScreenInEachAppearance(page, 'system-narrow');
    });

    it('the system screen refuses a key without the scope `operate`', async () => {
      const { page } = await running().open('');
      await page.getByRole('link', { name: 'Datastores' }).first().waitFor();
      expect(await page.getByRole('link', { name: 'System' }).count()).toBe(0);
      await page.goto(new URL('system', running().baseUrl).href);
      await page.getByText('The state of the system could not be loaded').waitFor();
      await page.getByText('needs a key with the scope operate').waitFor();
      expect(await page.getByText('Catalogue sync').count()).toBe(0);
      await auditScreenInEachAppearance(page, 'system-refused');
    });
  });
}

const PROBLEM = JSON.stringify({
  ...{ type: 'about:blank', title: 'Internal Server Error', status: 500, code: 'internal_error', detail: 'It failed.' },
});

/** Applies `change` to the system state in each API response that the page receives from now on. */
async function changeSystemResponses(page: Page, change: (system: System) => System): Promise<void> {
  await page.route('**/api/system', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as System) }); // as documented
  });
}

const REASON = 'no response within 2000 ms';

/** Returns a system state as if the services were separate processes, and some services and queues were unavailable. */
function simulatePartialOutage(system: System): System {
  const unknown = { waiting: null, active: null, delayed: null, failed: null, capacity: null, oldestSeconds: null };
  const affects = ['indexing', 'removals'];
  return {
    ...system,
    mode: 'services',
    services: system.services.map((service) =>
      service.name === 'ingestion-worker'
        ? {
            ...service,
            ...{ status: 'degraded', reason: `fragments: ${REASON}` },
            dependencies: service.dependencies.map((dependency) =>
              dependency.name === 'fragments' ? { ...dependency, reason: REASON, affects } : dependency,
            ),
          }
        : service.name === 'crawler'
          ? {
              ...service,
              ...{ status: 'unavailable', reason: 'no process reports', instance: null, version: null },
              ...{ startedAt: null, reportedAt: null, dependencies: [], components: [] },
            }
          : service,
    ),
    queues: system.queues.map((queue) => {
      if (queue.name === 'crawl') return { ...queue, ...unknown, status: 'unavailable', reason: REASON };
      if (queue.name === 'webhooks') return { ...queue, capacity: 0, waiting: 12, oldestSeconds: 95 };
      return queue.name === 'ingestion'
        ? { ...queue, waiting: 16, active: 8, failed: 3, delayed: 2, oldestSeconds: 7.4 }
        : queue;
    }),
    backlog: {
      ...system.backlog,
      classes: [{ queue: 'ingestion', class: 'bulk', jobs: 1_250, organizations: 3, oldestSeconds: 260 }],
    },
    database: { ...system.database, expectedMigration: '0099_next' },
  };
}

/** Sets the visibility state of the tab, and emits the event of the change, as when the user switches tabs. */
async function setTabVisibility(page: Page, state: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  `);
}
