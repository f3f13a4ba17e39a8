import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatContentDisposition } from './content-disposition.js';

describe('formatContentDisposition', () => {
  it.each([
    ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
    ['Grüße "1".pdf', `attachment; filename="Gr__e _1_.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.pdf`],
    ["50% (it's).txt", `attachment; filename="50_ (it's).txt"; filename*=UTF-8''50%25%20%28it%27s%29.txt`],
    ['😀.md', `attachment; filename="_.md"; filename*=UTF-8''%F0%9F%98%80.md`],
  ])(
    'formatContentDisposition formats the file name %j as `filename` in ASCII and as `filename*` in UTF-8',
    (name, expected) => {
      expect(formatContentDisposition(name)).toBe(expected);
    },
  );

  it('formatContentDisposition formats a valid header for any file name, and parsing the header returns the file name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
        const header = formatContentDisposition(name);
        expect(header).toMatch(/^attachment; filename="[ !#$&-[\]-~]*"; filename\*=UTF-8''[\w.~%-]*$/);
        expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(name.toWellFormed());
      }),
    );
  });
});
