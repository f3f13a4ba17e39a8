import { eq } from 'drizzle-orm';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import type { TestGateway } from './start-test-gateway.js';

/** Lists the keys of the stored blobs of an organization. */
export const listBlobs = ({ blobs }: TestGateway, organizationId: string): readonly string[] =>
  [...blobs.keys].filter((key) => key.startsWith(organizationId));

/** Lists the keys of the discarded blobs of an organization: the blobs that the watchdog will remove. */
export async function listDiscardedBlobs({ gateway }: TestGateway, organizationId: string): Promise<readonly string[]> {
  const rows = await gateway.db.select().from(discardedBlobs).where(eq(discardedBlobs.organizationId, organizationId));
  return rows.map(({ key }) => key);
}
