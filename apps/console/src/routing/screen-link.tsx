import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { ADDRESSES, type AddressName, type ParametersOf, type SearchValues } from './addresses.js';

interface Target<Name extends AddressName> {
  readonly to: Name;
  readonly search?: SearchValues;
}

/** The screen that a link opens. `parameters` is required if the path of the screen has parameters. */
export type ScreenTarget<Name extends AddressName> = Target<Name> &
  (keyof ParametersOf<Name> extends never
    ? { readonly parameters?: undefined }
    : { readonly parameters: ParametersOf<Name> });

/** The target of a link whose screen is determined at run time. */
export type AnyScreenTarget = { readonly [Name in AddressName]: ScreenTarget<Name> }[AddressName];

export type ScreenLinkProps<Name extends AddressName> = ScreenTarget<Name> &
  Pick<ComponentProps<'a'>, 'className' | 'children' | 'aria-label' | 'title' | 'onClick'>;

/** Shows a link to a screen of the console. Hover and focus start loading the code of the screen. */
export function ScreenLink<Name extends AddressName>(props: ScreenLinkProps<Name>): ReactNode {
  const { to, parameters, search = {}, ...attributes } = props;
  const path: string = ADDRESSES[to];
  return <Link {...attributes} params={parameters ?? {}} search={search} to={path} />;
}

/** A function that opens a screen. `isReplacing`: the screen replaces the current entry in the browser history. */
export type OpenScreen = <Name extends AddressName>(
  target: ScreenTarget<Name> & { readonly isReplacing?: boolean },
) => void;

/** Returns true if the router of the console has a route for this screen. */
export function useHasScreen(name: AddressName): boolean {
  const routes: Readonly<Record<string, unknown>> = useRouter().routesByPath;
  return ADDRESSES[name] in routes;
}

/** Returns a function that opens a screen. */
export function useOpenScreen(): OpenScreen {
  const navigate = useNavigate();
  return ({ to, parameters, search = {}, isReplacing = false }) => {
    const path: string = ADDRESSES[to];
    void navigate({ to: path, params: parameters ?? {}, search, replace: isReplacing });
  };
}

/** Returns the parameters in the path of the current screen. `name` must be the name of that screen. */
export function useScreenParameters<Name extends AddressName>(name: Name): ParametersOf<Name> {
  const found: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  const missing = [...ADDRESSES[name].matchAll(/\$(\w+)/g)].find(
    ([, parameter = '']) => found[parameter] === undefined,
  );
  if (missing !== undefined)
    throw new Error(`expected the current address to match ${ADDRESSES[name]}, found no parameter ${missing[0]}`);
  return found as ParametersOf<Name>; // all parameters of the address are present
}

/**
 * Returns a query parameter of the current address, such as a filter, and a function that changes it. A link that is
 * copied from the address bar thus opens the screen with the same filter.
 */
export function useSearchParameter(name: string): readonly [string | undefined, (value: string | undefined) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const value = search[name];
  const setValue = (next: string | undefined): void => {
    void navigate({ to: '.', search: { ...search, [name]: next }, replace: true });
  };
  return [typeof value === 'string' ? value : undefined, setValue];
}
