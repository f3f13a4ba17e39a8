import type { ConsoleUnderTest, OpenOptions } from './console-under-test.js';
import { openNewDatastore, type OpenedDatastore } from './open-new-datastore.js';

/** Creates a datastore, and opens the screen that adds content to it. */
export async function openUploadScreen(
  running: ConsoleUnderTest,
  options: Pick<OpenOptions, 'width' | 'height' | 'expectedError'> = {},
): Promise<OpenedDatastore> {
  const opened = await openNewDatastore(running, options);
  await opened.page.getByRole('button', { name: 'Add content' }).click();
  await opened.page.getByRole('heading', { name: 'Add content', level: 1 }).waitFor();
  return opened;
}
