import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isModelInFolder, locateModel } from './locate-model.js';
import { writeTinyEmbeddingModel } from './testing/index.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-models-'));
  for (const name of ['complete', 'split', 'placed']) await writeTinyEmbeddingModel(join(folder, 'owner', name));
  await rm(join(folder, 'owner', 'placed', 'tokenizer.json'));
});
afterAll(async () => rm(folder, { recursive: true }));

const locate = (model: string, download: boolean) => locateModel({ folder, download }, model);

describe('locateModel', () => {
  it('a complete model in the folder is loaded without the hub, even if downloads are enabled', () => {
    const expected = {
      path: join(folder, 'owner', 'complete'),
      options: { local_files_only: true, cache_dir: folder },
    };
    expect(locate('owner/complete', true)).toEqual(expected);
    expect(locate('owner/complete', false)).toEqual(expected);
  });

  it.each(['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'])(
    'if the download of a model ended before %s was stored, the model is located on the hub',
    async (file) => {
      await writeTinyEmbeddingModel(join(folder, 'owner', 'partial'));
      await rm(join(folder, 'owner', 'partial', file));
      expect(locate('owner/partial', true)).toEqual({
        path: 'owner/partial',
        options: { local_files_only: false, cache_dir: folder },
      });
    },
  );

  it.each([
    ['true', true, ['model.onnx_data']],
    ['a number of files', 2, ['model.onnx_data', 'model.onnx_data_1']],
    ['an object', { 'model.onnx': 1 }, ['model.onnx_data']],
  ])(
    'a model whose configuration declares external weights as %s is complete when all files of the weights are stored',
    async (_, declared, files) => {
      const path = join(folder, 'owner', 'split');
      const config = { model_type: 'bert', 'transformers.js_config': { use_external_data_format: declared } };
      await writeFile(join(path, 'config.json'), JSON.stringify(config));
      for (const file of files) {
        expect(locate('owner/split', true)?.options.local_files_only).toBe(false);
        await writeFile(join(path, 'onnx', file), '');
      }
      expect(locate('owner/split', true)?.options.local_files_only).toBe(true);
      for (const file of files) await rm(join(path, 'onnx', file));
    },
  );

  it('if the stored configuration is not JSON, the model is loaded from the folder, so that the error names the file', async () => {
    const path = join(folder, 'owner', 'invalid');
    await writeTinyEmbeddingModel(path);
    await writeFile(join(path, 'config.json'), 'not JSON');
    expect(locate('owner/invalid', true)?.path).toBe(path);
  });

  it('if downloads are disabled, an incomplete model is loaded from the folder, so that the error names the missing file', () => {
    expect(isModelInFolder({ folder, download: false }, 'owner/placed')).toBe(true);
    expect(locate('owner/placed', false)?.path).toBe(join(folder, 'owner', 'placed'));
  });

  it('locateModel returns undefined for a model that is neither in the folder nor named like a model of the hub', async () => {
    await mkdir(join(folder, 'empty'));
    expect([locate('owner/absent', false), locate('absent', true), locate('empty', true)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(locate('../owner/absent', true)).toBeUndefined();
  });
});
