import type { Express } from 'express';

/** Describes a route or a mounted router inside Express, which exports no type for them. */
interface Layer {
  readonly route?: {
    readonly path: string | readonly string[];
    readonly stack: readonly { readonly method: string }[];
  };
  readonly handle: { readonly stack?: readonly Layer[] };
  readonly slash: boolean;
  /** The path at which the router is mounted. Absent for a route. */
  readonly rawPath?: unknown;
}

/** Lists every route of an app once, such as `get /api/agents/{id}`. */
export function listRegisteredRoutes(app: Express): readonly string[] {
  const { stack } = app.router as unknown as { readonly stack: readonly Layer[] }; // see Layer
  return [...new Set(listRoutes(stack, ''))].toSorted();
}

function listRoutes(stack: readonly Layer[], prefix: string): string[] {
  return stack.flatMap((layer) => {
    if (layer.route !== undefined) return listRouteNames(layer.route, prefix);
    const nested = layer.handle.stack;
    return nested === undefined ? [] : listRoutes(nested, prefix + getMountPath(layer));
  });
}

function listRouteNames({ path, stack }: NonNullable<Layer['route']>, prefix: string): string[] {
  const paths = typeof path === 'string' ? [path] : path;
  return paths.flatMap((one) => stack.map(({ method }) => `${method} ${prefix}${one.replaceAll(/:(\w+)/g, '{$1}')}`));
}

function getMountPath({ slash, rawPath }: Layer): string {
  if (slash) return '';
  if (typeof rawPath === 'string') return rawPath;
  throw new Error(`expected a router mounted at one path, found ${JSON.stringify(rawPath ?? null)}`);
}
