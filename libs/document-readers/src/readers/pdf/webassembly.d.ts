/** The part of the WebAssembly API that Quarry uses. TypeScript declares this API only in its DOM library. */
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
