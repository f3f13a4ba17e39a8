import { expect, it, vi } from 'vitest';
import { buildSlowPdf } from './quarry/slow-pdf.js';
import { describeOnEachStack } from './quarry/stacks.js';

const PAGES = 600;

describeOnEachStack('progress', {}, (quarry) => {
  it('while Quarry reads a long PDF, the API reports an increasing number of read pages', async () => {
    const { id: datastoreId } = await quarry().createDatastore({ name: 'Long' });
    const texts = Array.from({ length: PAGES }, (_, index) => `Page ${index + 1} describes stone ${index * 7}.`);
    const file = new File([buildSlowPdf(texts)], 'long.pdf', { type: 'application/pdf' });
    const { id } = await quarry().uploadFile(datastoreId, file);
    const seen: number[] = [];
    const settled = await vi.waitUntil(
      async () => {
        const datasource = await quarry().getDatasource(id);
        if (datasource.status !== 'running') return datasource.status === 'pending' ? undefined : datasource;
        const { stage, progress } = datasource.run ?? {};
        if (stage !== 'reading' || !progress) return undefined;
        expect(progress).toMatchObject({ total: PAGES, unit: 'pages' });
        if (progress.done !== seen.at(-1)) seen.push(progress.done);
        return undefined;
      },
      { timeout: 120_000, interval: 50 },
    );
    expect(settled).toMatchObject({ status: 'synched', run: { counters: { indexed: 1 }, progress: null } });
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(seen[0]).toBeLessThan(PAGES);
    expect((await quarry().queryDatastore(datastoreId, { query: 'stone 4193' }))[0]?.text).toContain('Page 600');
  });
});
