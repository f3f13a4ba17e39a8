import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openUploadScreen } from './open-upload-screen.js';
import { chooseFiles, createFilePayload, findUploadRow } from './upload-rows.js';

/** Tests uploads while Quarry does not respond. */
export function testUnsentUploads(running: () => ConsoleUnderTest): void {
  describe('an upload without a response', () => {
    it('a file that could not be sent is not called refused, and is sent when Quarry responds again', async () => {
      const { page, context, client, datastoreId } = await openUploadScreen(running());
      await context.setOffline(true);
      await chooseFiles(page, 'Choose files', [createFilePayload('drill.txt', 'The warranty lasts two years.')]);
      await findUploadRow(page, 'drill.txt').getByText('Not sent').waitFor();
      expect(await page.getByText(/refused/i).count()).toBe(0);
      await auditScreenInEachAppearance(page, 'upload-offline');
      await context.setOffline(false);
      await findUploadRow(page, 'drill.txt').getByText('Ready').waitFor();
      expect((await client.listDatasources({ datastoreId })).items).toHaveLength(1);
    });

    it('a file that could not be sent can be cancelled, and is then not sent when Quarry responds again', async () => {
      const { page, context, client, datastoreId } = await openUploadScreen(running());
      await context.setOffline(true);
      await chooseFiles(page, 'Choose files', [
        createFilePayload('drill.txt', 'The warranty lasts two years.'),
        createFilePayload('saw.txt', 'The saw is red.'),
      ]);
      await page.getByText('2 not sent').waitFor();
      expect(await page.getByRole('button', { name: 'Clear finished' }).count()).toBe(0);
      await findUploadRow(page, 'drill.txt').getByRole('button', { name: 'Cancel the upload of drill.txt' }).click();
      await findUploadRow(page, 'drill.txt').getByText('Cancelled').waitFor();
      await page.getByRole('button', { name: 'Clear finished' }).click();
      await findUploadRow(page, 'drill.txt').waitFor({ state: 'detached' });
      await context.setOffline(false);
      await findUploadRow(page, 'saw.txt').getByText('Ready').waitFor();
      expect((await client.listDatasources({ datastoreId })).items.map(({ name }) => name)).toEqual(['saw.txt']);
    });

    it('a file is not called refused if a proxy responds to its upload, and is sent again', async () => {
      const { page, client, datastoreId } = await openUploadScreen(running(), { expectedError: /status of 502/ });
      const response = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' };
      const probe = Promise.withResolvers<undefined>();
      await page.route('**/file-upload/**', async (route) => route.fulfill(response), { times: 1 });
      await page.route(
        '**/api/session',
        async (route) => {
          await probe.promise;
          await route.fulfill(response);
        },
        { times: 1 },
      );
      await chooseFiles(page, 'Choose files', [createFilePayload('drill.txt', 'The warranty lasts two years.')]);
      await findUploadRow(page, 'drill.txt').getByText('Not sent').waitFor();
      expect(await page.getByText(/refused/i).count()).toBe(0);
      probe.resolve(undefined);
      await findUploadRow(page, 'drill.txt').getByText('Ready').waitFor();
      expect((await client.listDatasources({ datastoreId })).items).toHaveLength(1);
    });
  });
}
