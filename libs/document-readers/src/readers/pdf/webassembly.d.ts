/** The part of the WebAssembly API that is used here: TypeScript has its types among those of browsers only. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  type Exports = Record<string, unknown>;

  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    constructor(compiled: Module, imports: Imports);
    readonly exports: Exports;
  }

  function compile(bytes: Uint8Array): Promise<Module>;
}
