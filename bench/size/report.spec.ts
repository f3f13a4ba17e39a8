import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureBuildSizes } from './measure-build-sizes.js';
import { createReport, formatReportTable } from './report.js';

describe('the report on the sizes of front ends', () => {
  it('measureBuildSizes returns the total size of the chunks of the first load, each counted once, and the total size of all files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarry-size-'));
    try {
      mkdirSync(join(folder, '.vite'));
      mkdirSync(join(folder, 'assets'));
      const sizes = { 'page.js': 100, 'screen.js': 20, 'common.js': 3, 'other.js': 1_000, 'page.css': 5_000 };
      for (const [file, size] of Object.entries(sizes))
        writeFileSync(join(folder, 'assets', `${file}.gz`), Buffer.alloc(size));
      const manifest = {
        'index.html': { file: 'assets/page.js', imports: ['_common.js'], dynamicImports: ['screen.tsx', 'other.tsx'] },
        'screen.tsx': { file: 'assets/screen.js', imports: ['index.html', '_common.js'] },
        'other.tsx': { file: 'assets/other.js' },
        '_common.js': { file: 'assets/common.js' },
      };
      writeFileSync(join(folder, '.vite', 'manifest.json'), JSON.stringify(manifest));
      expect(measureBuildSizes(folder, ['index.html', 'screen.tsx'])).toEqual({ firstLoad: 123, all: 6_123 });
      expect(() => measureBuildSizes(folder, ['renamed.tsx'])).toThrow('expected the chunk renamed.tsx');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('the report lists each size with its target, and the missed targets', () => {
    const sizes = { firstLoad: 150_100, all: 300_000 };
    const report = createReport([{ name: 'console', sizes, budgets: { firstLoad: 150_000, all: 400_000 } }]);
    expect(report.missed).toEqual(['console, first load: expected at most 150.0 kB, found 150.1']);
    expect(formatReportTable(report)).toMatch(
      /first load +150\.1 +150\.0 +missed\nconsole, everything +300\.0 +400\.0 +met/,
    );
  });
});
