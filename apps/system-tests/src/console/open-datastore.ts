import type { QuarryClient } from '@quarry/client';
import type { ConsoleUnderTest, OpenedConsole } from './console-under-test.js';

export interface OpenedDatastore extends OpenedConsole {
  readonly datastoreId: string;
}

interface DatastoreOptions {
  /** Adds the content of the datastore before the page is opened. */
  readonly fill?: (client: QuarryClient, datastoreId: string) => Promise<unknown>;
  readonly width?: number;
  readonly height?: number;
}

/** Opens the screen of a new datastore with the name `Manuals`. */
export async function openDatastore(
  running: ConsoleUnderTest,
  { fill, ...size }: DatastoreOptions = {},
): Promise<OpenedDatastore> {
  let datastoreId = '';
  const opened = await running.open('datastores', {
    ...size,
    prepare: async (client) => {
      ({ id: datastoreId } = await client.createDatastore({ name: 'Manuals' }));
      await fill?.(client, datastoreId);
    },
  });
  await opened.page.getByRole('link', { name: 'Manuals' }).click();
  await opened.page.getByRole('heading', { name: 'Manuals', level: 1 }).waitFor();
  return { ...opened, datastoreId };
}
