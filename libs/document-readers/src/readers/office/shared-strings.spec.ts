import { describe, expect, it } from 'vitest';
import { readSharedStrings } from './shared-strings.js';

describe('readSharedStrings', () => {
  it('readSharedStrings joins the runs of a text, and omits phonetic text', () => {
    const part =
      '<sst><si><r><t>Tokyo </t></r><r><t>(東京)</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si/><si><t><![CDATA[a<b]]></t></si></sst>';
    expect(readSharedStrings(part)).toEqual(['Tokyo (東京)', '', 'a<b']);
  });

  it('readSharedStrings decodes escaped characters, and keeps underscores that are not escapes', () => {
    expect(readSharedStrings('<sst><si><t>a_x000D_b_x005F_x0041_</t></si></sst>')).toEqual(['a\rb_x0041_']);
  });
});
