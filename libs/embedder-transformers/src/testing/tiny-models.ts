import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeOnnxFile, type OnnxModel, type OnnxValue } from './onnx-file.js';

export const TINY_DIMENSIONS = 16;

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const CHARACTERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789.,!?');
const VOCABULARY = [...SPECIAL, ...CHARACTERS, ...CHARACTERS.map((character) => `##${character}`)];
const IDS: OnnxValue = { name: 'input_ids', type: 'int64', dims: ['texts', 'tokens'] };

/**
 * Writes an embedding model of a few kilobytes in the layout of the hub. The vector of a text is the mean of the
 * vectors of its characters.
 *
 * @param output the name of the output that contains the vectors of the tokens
 */
export async function writeTinyEmbeddingModel(folder: string, output = 'last_hidden_state'): Promise<void> {
  const values = Float32Array.from({ length: VOCABULARY.length * TINY_DIMENSIONS }, (_, at) => Math.sin(at * at + 1));
  await writeModel(
    folder,
    { model_type: 'bert', hidden_size: TINY_DIMENSIONS },
    {
      nodes: [{ type: 'Gather', inputs: ['characters', 'input_ids'], output }],
      weights: [{ name: 'characters', dims: [VOCABULARY.length, TINY_DIMENSIONS], values }],
      inputs: [IDS],
      outputs: [{ name: output, type: 'float', dims: ['texts', 'tokens', TINY_DIMENSIONS] }],
    },
  );
}

/** Writes a cross-encoder that gives higher scores to texts with more occurrences of the letter `z`. */
export async function writeTinyRerankingModel(folder: string): Promise<void> {
  const values = Float32Array.from(VOCABULARY, (token) => (token.endsWith('z') ? 1 : 0));
  await writeModel(
    folder,
    { model_type: 'bert', architectures: ['BertForSequenceClassification'] },
    {
      nodes: [
        { type: 'Gather', inputs: ['letters', 'input_ids'], output: 'each' },
        { type: 'ReduceSum', inputs: ['each'], output: 'logits', lists: { axes: [1] }, numbers: { keepdims: 0 } },
      ],
      weights: [{ name: 'letters', dims: [VOCABULARY.length, 1], values }],
      inputs: [IDS],
      outputs: [{ name: 'logits', type: 'float', dims: ['texts', 1] }],
    },
  );
}

async function writeModel(folder: string, config: object, model: OnnxModel): Promise<void> {
  await mkdir(join(folder, 'onnx'), { recursive: true });
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(TOKENIZER));
  await writeFile(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({ tokenizer_class: 'BertTokenizer', model_max_length: 512, ...NAMES }),
  );
  await writeFile(join(folder, 'onnx', 'model.onnx'), encodeOnnxFile(model));
}

const NAMES = { pad_token: '[PAD]', unk_token: '[UNK]', cls_token: '[CLS]', sep_token: '[SEP]' };

const createSpecialToken = (name: string, type = 0): object => ({ SpecialToken: { id: name, type_id: type } });
const createSequenceToken = (id: string, type = 0): object => ({ Sequence: { id, type_id: type } });

/** A tokenizer in the format that `tokenizers` writes for BERT. */
const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: SPECIAL.map((content, id) => ({
    ...{ id, content, specialToken: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [createSpecialToken('[CLS]'), createSequenceToken('A'), createSpecialToken('[SEP]')],
    pair: [
      createSpecialToken('[CLS]'),
      createSequenceToken('A'),
      createSpecialToken('[SEP]'),
      createSequenceToken('B', 1),
      createSpecialToken('[SEP]', 1),
    ],
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((name) => [name, { id: name, ids: [SPECIAL.indexOf(name)], tokens: [name] }]),
    ),
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    ...{ unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
    vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
  },
};
