import type { QuarryClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';

/** Word in the names and texts of the first organization. A page of the second organization must never receive it. */
const SECRET = 'Aurora';

/** Creates content of each kind with the secret word. @returns the relative addresses of the screens of the content */
async function addSecretContent(client: QuarryClient): Promise<readonly string[]> {
  const { id: datastoreId } = await client.createDatastore({ name: `${SECRET} store` });
  // The name of the document omits the secret word. The address of the document's screen contains the name, and each
  // page may show its own address.
  const documents = [{ name: 'Plan', text: `The ${SECRET} project starts in May.` }];
  const [datasourceId = ''] = (await client.upsertDocuments(datastoreId, documents)).ids;
  await client.untilSettled(datasourceId);
  const [document] = (await client.listDocuments(datasourceId)).items;
  const agent = await client.createAgent({ name: `${SECRET} agent`, datastoreIds: [datastoreId] });
  await client.queryAgent(agent.id, { query: `When does ${SECRET} start?` });
  const [conversation] = (await client.listConversations()).items;
  return [
    `datastores/${datastoreId}`,
    `datastores/${datastoreId}/upload`,
    `datasources/${datasourceId}`,
    `datasources/${datasourceId}/documents/${encodeURIComponent(document?.documentKey ?? '')}`,
    `agents/${agent.id}`,
    `conversations/${conversation?.id ?? ''}`,
  ];
}

/** Tests that users of one organization never see content of another organization in the console. */
export function testTenants(running: () => ConsoleUnderTest): void {
  describe('two organizations', () => {
    it('at the addresses of another organization’s screens, the console receives and shows none of its content', async () => {
      let addresses: readonly string[] = [];
      const own = await running().open('datastores', {
        prepare: async (client) => {
          addresses = await addSecretContent(client);
        },
      });
      await own.page.getByText(`${SECRET} store`).first().waitFor();
      const { page } = await running().open('datastores');
      const responses: string[] = [];
      page.on('response', (response) => {
        void response.text().then(
          (text) => responses.push(text),
          () => undefined,
        );
      });
      for (const address of addresses) {
        await own.page.goto(new URL(address, running().baseUrl).href);
        await own.page.getByText(SECRET).first().waitFor();
        await page.goto(new URL(address, running().baseUrl).href);
        await page
          .getByText(/was deleted|does not exist|may have been deleted/)
          .first()
          .waitFor();
        expect(await page.content()).not.toContain(SECRET);
        if (address !== addresses[0]) continue;
        await expect.poll(async () => page.getByText('This datastore does not exist').count()).toBe(1);
        await auditScreenInEachAppearance(page, 'missing-datastore');
      }
      expect(responses.length).toBeGreaterThan(addresses.length);
      expect(responses.filter((text) => text.includes(SECRET))).toEqual([]);
    });

    it('the console of an organization receives no live events of another organization', async () => {
      const first = await openNewDatastore(running());
      const second = await openNewDatastore(running());
      for (const { page } of [first, second])
        await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      const stream = new URL(`api/datastores/${first.datastoreId}/events`, running().baseUrl);
      expect((await second.context.request.get(stream.href)).status()).toBe(404);
      await first.client.upsertDocuments(first.datastoreId, [{ name: `${SECRET} plan`, text: 'It starts in May.' }]);
      await first.page.getByRole('link', { name: `${SECRET} plan` }).waitFor();
      await second.client.upsertDocuments(second.datastoreId, [{ name: 'Handbook', text: 'It is long.' }]);
      await second.page.getByRole('link', { name: 'Handbook' }).waitFor();
      expect(await second.page.content()).not.toContain(SECRET);
      expect(await first.page.content()).not.toContain('Handbook');
    });
  });
}
