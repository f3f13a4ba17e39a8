import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  useRouterState,
  type AnyRouter,
  type ParsedLocation,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { loadWhenReachable } from '../api/load-when-reachable.js';
import { EmptyState } from '../components/empty-state.js';
import { KeyIcon, SearchIcon } from '../components/icons.js';
import { useMessages } from '../language/language-context.js';
import { SCREENS } from '../screens/screens.js';
import { AppLayout } from './app-layout.js';
import { shellMessages } from './messages.js';
import { ScreenError } from './screen-error.js';
import { PageHeader } from '../page/page-header.js';
import { useLacksOwnDatastore } from './use-lacks-own-datastore.js';
import { useNavigationScreens } from './use-navigation-screens.js';
import { ADDRESSES } from '../routing/addresses.js';

/**
 * Creates the router with a route for each screen.
 *
 * @param basePath the path prefix of the console, such as `/` or `/quarry/`
 */
export function createConsoleRouter(basePath: string): AnyRouter {
  const root = createRootRoute({ component: AppLayout, notFoundComponent: NotFound, errorComponent: ScreenError });
  const home = createRoute({ getParentRoute: () => root, path: ADDRESSES.home, component: FirstScreenRedirect });
  const screens = SCREENS.map(({ name, load }) =>
    createRoute({
      getParentRoute: () => root,
      path: ADDRESSES[name],
      component: lazyRouteComponent(async () => ({ default: await loadWhenReachable(load) })),
      errorComponent: ScreenError,
    }),
  );
  const router = createRouter({
    routeTree: root.addChildren([home, ...screens]),
    basepath: basePath,
    defaultPreload: 'intent',
    // Query parameters are plain texts, such as `?status=error`, instead of JSON.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (values) => {
      const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
  preloadScreen(router);
  return router;
}

/** Starts loading the code of the screen at the current address, before the session is loaded. */
function preloadScreen(router: AnyRouter): void {
  const { pathname } = router.latestLocation as ParsedLocation; // the routes have no types of their own
  const [, , screen] = router.getMatchedRoutes(pathname);
  // A failure is ignored here, because the router reports it when the screen is opened.
  if (screen !== undefined) router.loadRouteChunk(screen)?.catch(() => undefined);
}

/**
 * Redirects to the first-steps screen if the organization has no datastore besides the sample. Otherwise, redirects to
 * the first other screen that the API key may open.
 */
function FirstScreenRedirect(): ReactNode {
  const messages = useMessages(shellMessages);
  const screens = useNavigationScreens();
  const first = screens.find(({ name }) => name !== 'firstRun');
  const isNew = useLacksOwnDatastore(screens.some(({ name }) => name === 'firstRun'));
  if (isNew === undefined) return null;
  if (isNew) return <Redirect to={ADDRESSES.firstRun} />;
  if (first !== undefined) return <Redirect to={ADDRESSES[first.name]} />;
  return (
    <EmptyState icon={KeyIcon} title={messages.noScreensTitle}>
      {messages.noScreensText}
    </EmptyState>
  );
}

/**
 * Opens a screen instead of the home address, unless the user has already opened another screen. The home route stays
 * rendered until the code of the other screen is loaded, so `Navigate` alone could leave that screen again.
 */
function Redirect({ to }: { readonly to: string }): ReactNode {
  const isHome = useRouterState({ select: ({ location }) => location.pathname === ADDRESSES.home });
  return isHome ? <Navigate replace to={to} /> : null;
}

function NotFound(): ReactNode {
  const messages = useMessages(shellMessages);
  return (
    <>
      <PageHeader title={messages.notFoundTitle} />
      <EmptyState
        actions={
          <a className="button button-secondary" href={document.baseURI}>
            {messages.goHome}
          </a>
        }
        icon={SearchIcon}
        title={messages.notFoundTitle}
      >
        {messages.notFoundText}
      </EmptyState>
    </>
  );
}
