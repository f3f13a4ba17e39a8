import { canOpen, type Screen, type ScreenNavigation } from '../routing/define-screen.js';
import { SCREENS } from '../screens/screens.js';
import { useSession } from '../session/use-session.js';

/** A screen that the navigation shows. */
export interface NavigationScreen extends Screen {
  readonly navigation: ScreenNavigation;
}

/** Lists the screens of the navigation that the key may open. */
export function useNavigationScreens(): readonly NavigationScreen[] {
  const { key } = useSession();
  return SCREENS.filter(isInNavigation).filter((screen) => canOpen(screen, key.scopes));
}

function isInNavigation(screen: Screen): screen is NavigationScreen {
  return screen.navigation !== undefined;
}
