import { describe, expect, it } from 'vitest';
import { sharedStrings } from './shared-strings.js';

describe('the texts that cells share', () => {
  it('are joined from their parts, without how they are pronounced', () => {
    const part =
      '<sst><si><r><t>Tokyo </t></r><r><t>(東京)</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si/><si><t><![CDATA[a<b]]></t></si></sst>';
    expect(sharedStrings(part)).toEqual(['Tokyo (東京)', '', 'a<b']);
  });

  it('have characters that XML cannot hold, and underscores that only look so', () => {
    expect(sharedStrings('<sst><si><t>a_x000D_b_x005F_x0041_</t></si></sst>')).toEqual(['a\rb_x0041_']);
  });
});
