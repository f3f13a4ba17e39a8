import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** Where models are that run here. */
export interface ModelFolder {
  /** Each model in a folder of its name: `config.json`, `tokenizer.json`, `onnx/model.onnx`, as the hub has them. */
  readonly folder: string;
  /** Whether a model that is not there may be fetched from the hub, into the folder. */
  readonly download: boolean;
}

/** What transformers.js is to be asked for. */
export interface ModelPlace {
  readonly path: string;
  readonly options: { readonly local_files_only: boolean; readonly cache_dir: string };
}

/** `owner/name`, as the hub has them. */
const HUB_NAME = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/** Whether the folder has the model: a name never leads out of it. */
export function isModelHere({ folder }: ModelFolder, model: string): boolean {
  const path = resolve(folder, model);
  return path.startsWith(resolve(folder) + sep) && existsSync(resolve(path, 'config.json'));
}

/** @returns undefined where the model is not in the folder and may not be fetched */
export function findModel(models: ModelFolder, model: string): ModelPlace | undefined {
  const root = resolve(models.folder);
  if (isModelHere(models, model))
    return { path: resolve(root, model), options: { local_files_only: true, cache_dir: root } };
  if (!models.download || !HUB_NAME.test(model)) return undefined;
  return { path: model, options: { local_files_only: false, cache_dir: root } };
}
