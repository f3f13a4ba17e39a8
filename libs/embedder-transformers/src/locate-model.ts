import { existsSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** Describes the folder of local models. */
export interface ModelFolder {
  /**
   * Path of the folder. Each model has a subfolder of its name, which contains `MODEL_FILES` in the layout of the
   * Hugging Face hub.
   */
  readonly folder: string;
  /** If true, missing files of models are downloaded from the hub into the folder. */
  readonly download: boolean;
}

/** Describes the location of a model, in the form that transformers.js accepts. */
export interface ModelLocation {
  readonly path: string;
  readonly options: { readonly local_files_only: boolean; readonly cache_dir: string };
}

/** Names of the files that transformers.js requires of every model. */
const MODEL_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'];

/** The form of model names on the hub: `owner/name`. */
const HUB_NAME = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/**
 * Returns true if the folder contains the model, even if files of it are missing. Returns false for a name that leads
 * outside the folder.
 */
export function isModelInFolder({ folder }: ModelFolder, name: string): boolean {
  const path = resolve(folder, name);
  return path.startsWith(resolve(folder) + sep) && existsSync(resolve(path, 'config.json'));
}

/**
 * Finds a model. An incomplete model is loaded from the hub if possible, because its download may have failed or may
 * still be running in another process. Returns undefined if the model is not in the folder and cannot be downloaded.
 */
export function locateModel(modelFolder: ModelFolder, model: string): ModelLocation | undefined {
  const folder = resolve(modelFolder.folder);
  const path = resolve(folder, model);
  if (modelFolder.download && HUB_NAME.test(model) && !isModelComplete(path))
    return { path: model, options: { local_files_only: false, cache_dir: folder } };
  if (!isModelInFolder(modelFolder, model)) return undefined;
  return { path, options: { local_files_only: true, cache_dir: folder } };
}

function isModelComplete(path: string): boolean {
  const exists = (file: string): boolean => existsSync(resolve(path, file));
  return MODEL_FILES.every(exists) && listExternalWeightFiles(path).every(exists);
}

/** Lists the files of weights that `config.json` declares in addition to `onnx/model.onnx`, for models over 2 GB. */
function listExternalWeightFiles(path: string): readonly string[] {
  const declared = getField(
    getField(readJsonOrUndefined(resolve(path, 'config.json')), 'transformers.js_config'),
    'use_external_data_format',
  );
  const count = getField(declared, 'model.onnx') ?? getField(declared, 'model') ?? declared;
  const length = typeof count === 'number' || count === true ? Number(count) : 0;
  return Array.from({ length }, (_, index) => `onnx/model.onnx_data${index === 0 ? '' : `_${index}`}`);
}

function readJsonOrUndefined(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function getField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
