import { describe, expect, it } from 'vitest';
import { listFailureReasons } from './list-failure-reasons.js';

const createFailedDatasource = (code: string, message: string) => ({ error: { code, message } });

describe('listFailureReasons', () => {
  it('listFailureReasons lists each failure code once, with its message', () => {
    const encrypted = createFailedDatasource('file_encrypted', 'The file is protected by a password.');
    expect(
      listFailureReasons(
        [encrypted, { error: null }, encrypted, createFailedDatasource('file_empty', 'Empty.')],
        undefined,
      ),
    ).toEqual([
      { code: 'file_empty', message: 'Empty.' },
      { code: 'file_encrypted', message: 'The file is protected by a password.' },
    ]);
  });

  it('listFailureReasons formats a failure code as words if the datasources with this code have different messages, or if no datasource has the code', () => {
    const tooLarge = ['a.pdf has 2 pages.', 'b.pdf has 3 pages.'].map((text) =>
      createFailedDatasource('text_too_large', text),
    );
    expect(listFailureReasons(tooLarge, 'file_encrypted')).toEqual([
      { code: 'file_encrypted', message: 'File encrypted' },
      { code: 'text_too_large', message: 'Text too large' },
    ]);
  });
});
