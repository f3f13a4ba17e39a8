import { expect, it } from 'vitest';
import { findMissedUploadTargets, type SingleUploads } from './measure-single-uploads.js';

const FIGURES: SingleUploads = {
  ...{ documents: 20_000, uploads: 20, jobsPerSecond: 400 },
  ...{ aloneMs: 100, duringMs: 200, slowestMs: 900, limitMs: 1_040 },
};

it('the target of single uploads is missed if one upload exceeds the time limit, or if no upload was measured', () => {
  expect(findMissedUploadTargets(FIGURES)).toEqual([]);
  expect(findMissedUploadTargets({ ...FIGURES, slowestMs: 1_041 })).toEqual(['a single upload during an import']);
  expect(findMissedUploadTargets({ ...FIGURES, uploads: 0, duringMs: NaN, slowestMs: -Infinity })).toEqual([
    'a single upload during an import',
  ]);
});
