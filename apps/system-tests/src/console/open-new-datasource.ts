import type { Datasource, QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import type { ConsoleUnderTest, OpenedConsole } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';
import { buildListingConfig, type TestListing } from './start-listing-server.js';

export interface OpenedDatasource extends OpenedConsole {
  readonly datasourceId: string;
}

/** Creates a datastore, calls `add` to create a datasource in it, and opens the screen of the datasource. */
export async function openNewDatasource(
  running: ConsoleUnderTest,
  add: (client: QuarryClient, datastoreId: string) => Promise<Datasource>,
  size: { readonly width?: number; readonly height?: number } = {},
): Promise<OpenedDatasource> {
  let datasource: Datasource | undefined;
  const opened = await openNewDatastore(running, {
    ...size,
    fill: async (client, datastoreId) => {
      datasource = await add(client, datastoreId);
    },
  });
  const { id = '', name = '' } = datasource ?? {};
  await opened.page.getByRole('link', { name, exact: true }).click();
  await opened.page.getByRole('heading', { name, level: 1 }).waitFor();
  return { ...opened, datasourceId: id };
}

/** Creates a datasource that reads a listing, and opens its screen after its first sync. */
export async function openNewListing(running: ConsoleUnderTest, listing: TestListing): Promise<OpenedDatasource> {
  return openNewDatasource(running, async (client, datastoreId) => {
    const { id } = await addListing(client, datastoreId, listing);
    return client.untilSettled(id);
  });
}

export async function addListing(client: QuarryClient, datastoreId: string, listing: TestListing): Promise<Datasource> {
  const config = buildListingConfig(listing);
  return client.createDatasource({ type: 'item_listing', datastoreId, name: 'Shop', config });
}

/** Chooses an entry of the menu “More actions” on the open screen of a datasource. */
export async function chooseActionOfOpenDatasource(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}
