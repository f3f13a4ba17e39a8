import type { QuarryClient } from '@quarry/client';
import type { ConsoleUnderTest, OpenedConsole, OpenOptions } from './console-under-test.js';

export interface OpenedDatastore extends OpenedConsole {
  readonly datastoreId: string;
}

interface DatastoreOptions extends Pick<OpenOptions, 'scopes' | 'baseUrl' | 'width' | 'height' | 'expectedError'> {
  /** Adds the content of the datastore before the page is opened. */
  readonly fill?: (client: QuarryClient, datastoreId: string) => Promise<unknown>;
}

/** Creates a datastore with the name `Manuals`, and opens its screen. */
export async function openNewDatastore(
  running: ConsoleUnderTest,
  { fill, ...options }: DatastoreOptions = {},
): Promise<OpenedDatastore> {
  let datastoreId = '';
  const opened = await running.open('datastores', {
    ...options,
    prepare: async (client) => {
      ({ id: datastoreId } = await client.createDatastore({ name: 'Manuals' }));
      await fill?.(client, datastoreId);
    },
  });
  await opened.page.getByRole('link', { name: 'Manuals' }).click();
  await opened.page.getByRole('heading', { name: 'Manuals', level: 1 }).waitFor();
  return { ...opened, datastoreId };
}
