import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** Describes the folder of local models. */
export interface ModelFolder {
  /**
   * Path of the folder. Each model has a subfolder of its name, with `config.json`, `tokenizer.json` and
   * `onnx/model.onnx` as on the Hugging Face hub.
   */
  readonly folder: string;
  /** If true, missing models are downloaded from the hub into the folder. */
  readonly download: boolean;
}

/** Describes the location of a model, in the form that transformers.js accepts. */
export interface ModelLocation {
  readonly path: string;
  readonly options: { readonly local_files_only: boolean; readonly cache_dir: string };
}

/** The form of model names on the hub: `owner/name`. */
const HUB_NAME = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/** Returns true if the folder contains the model. Returns false for a name that leads outside the folder. */
export function isModelInFolder({ folder }: ModelFolder, name: string): boolean {
  const path = resolve(folder, name);
  return path.startsWith(resolve(folder) + sep) && existsSync(resolve(path, 'config.json'));
}

/** Finds a model. Returns undefined if the model is not in the folder and cannot be downloaded. */
export function locateModel(modelFolder: ModelFolder, model: string): ModelLocation | undefined {
  const folder = resolve(modelFolder.folder);
  if (isModelInFolder(modelFolder, model))
    return { path: resolve(folder, model), options: { local_files_only: true, cache_dir: folder } };
  if (!modelFolder.download || !HUB_NAME.test(model)) return undefined;
  return { path: model, options: { local_files_only: false, cache_dir: folder } };
}
